import { Module } from '@nestjs/common';
import { DirectoryModule } from '../../directory/directory.module';
import { JournalModule } from '../../journal/journal.module';
import { RecordsModule } from '../../records/records.module';
import { UsersModule } from '../../users/users.module';
import { AccessController } from './access.controller';
import { AccessService } from './access.service';
import { ImportRequestService } from './import-request.service';
import { ImportsController } from './imports.controller';

@Module({
  imports: [DirectoryModule, JournalModule, RecordsModule, UsersModule],
  controllers: [AccessController, ImportsController],
  providers: [AccessService, ImportRequestService],
})
export class ImportsModule {}
