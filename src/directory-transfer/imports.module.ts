import { Module } from '@nestjs/common';
import { UsersModule } from '../users/users.module';
import { ImportRequestService } from './import-request.service';
import { ImportsController } from './imports.controller';

@Module({
  imports: [UsersModule],
  controllers: [ImportsController],
  providers: [ImportRequestService],
})
export class ImportsModule {}
