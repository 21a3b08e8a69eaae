import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module';
import { Journal } from './journal';
import { JournalController } from './journal.controller';
import { JournalReader } from './journal-reader';

@Module({
  imports: [AuthModule],
  controllers: [JournalController],
  providers: [Journal, JournalReader],
  exports: [Journal, JournalReader],
})
export class JournalModule {}
