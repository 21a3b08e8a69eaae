import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module';
import { Journal } from './journal';
import { JournalController } from './journal.controller';
import { JournalReader } from './journal-reader';
import { ReadJournalService } from './read-journal.service';
import { Sealer } from './sealer';
import { WaitingFollowers } from './waiting-followers';

@Module({
  imports: [AuthModule],
  controllers: [JournalController],
  providers: [Journal, JournalReader, ReadJournalService, Sealer, WaitingFollowers],
  exports: [Journal, Sealer],
})
export class JournalModule {}
