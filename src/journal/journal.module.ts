import { Module } from '@nestjs/common';
import { FeedReader } from './feed-reader';
import { FeedWatch } from './feed-watch';
import { FollowJournalService } from './follow-journal.service';
import { Journal } from './journal';
import { JournalController } from './journal.controller';
import { JournalReader } from './journal-reader';
import { ReadJournalService } from './read-journal.service';

@Module({
  controllers: [JournalController],
  providers: [FeedReader, FeedWatch, FollowJournalService, Journal, JournalReader, ReadJournalService],
  exports: [Journal],
})
export class JournalModule {}
