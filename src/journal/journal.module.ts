import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module';
import { Journal } from './journal';
import { JournalController } from './journal.controller';
import { JournalMonths } from './journal-months';
import { JournalReader } from './journal-reader';
import { ReadJournalService } from './read-journal.service';
import { Sealer } from './sealer';
import { UnsealedChanges } from './unsealed-changes';
import { WaitingFollowers } from './waiting-followers';

@Module({
  imports: [AuthModule],
  controllers: [JournalController],
  providers: [Journal, JournalMonths, JournalReader, ReadJournalService, Sealer, UnsealedChanges, WaitingFollowers],
  exports: [Journal, JournalMonths, Sealer, UnsealedChanges],
})
export class JournalModule {}
