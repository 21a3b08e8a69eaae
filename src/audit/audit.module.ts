import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module';
import { JournalModule } from '../journal/journal.module';
import { JournalController } from './journal.controller';

/** The journal over HTTP, for administrators. It stands above `auth`; the journal itself stands below. */
@Module({ imports: [AuthModule, JournalModule], controllers: [JournalController] })
export class AuditModule {}
