import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuthModule } from '../auth/auth.module';
import { DirectoryModule } from '../directory/directory.module';
import { Permission } from '../directory/permission.entity';
import { ListPermissionsService } from './list-permissions.service';
import { ReadPermissionService } from './read-permission.service';
import { PermissionsController } from './permissions.controller';

@Module({
  imports: [AuthModule, DirectoryModule, TypeOrmModule.forFeature([Permission])],
  controllers: [PermissionsController],
  providers: [ListPermissionsService, ReadPermissionService],
})
export class PermissionsModule {}
