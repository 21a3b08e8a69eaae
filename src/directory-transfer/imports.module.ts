import { Module } from '@nestjs/common';
import { DirectoryModule } from '../directory/directory.module';
import { UsersModule } from '../users/users.module';
import { ImportRequestService } from './import-request.service';
import { ImportsController } from './imports.controller';

@Module({
  imports: [DirectoryModule, UsersModule],
  controllers: [ImportsController],
  providers: [ImportRequestService],
})
export class ImportsModule {}
