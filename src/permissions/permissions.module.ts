import { Module } from '@nestjs/common';
import { JournalModule } from '../journal/journal.module';
import { RecordsModule } from '../records/records.module';
import { UsersModule } from '../users/users.module';
import { ChangePermissionService } from './change-permission.service';
import { CreatePermissionService } from './create-permission.service';
import { DeletePermissionService } from './delete-permission.service';
import { PermissionsController } from './permissions.controller';

@Module({
  imports: [JournalModule, RecordsModule, UsersModule],
  controllers: [PermissionsController],
  providers: [ChangePermissionService, CreatePermissionService, DeletePermissionService],
})
export class PermissionsModule {}
