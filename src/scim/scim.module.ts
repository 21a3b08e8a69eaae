import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { JournalModule } from '../journal/journal.module';
import { ChangeConnectionService } from './change-connection.service';
import { ConnectionsController } from './connections.controller';
import { ConnectionsReader } from './connections-reader';
import { CreateConnectionService } from './create-connection.service';
import { DeleteConnectionService } from './delete-connection.service';
import { RotateTokenService } from './rotate-token.service';
import { ScimConnection } from './scim-connection.entity';
import { ScimGuard } from './scim.guard';

/** Lets identity providers keep users and groups by SCIM 2.0. It stands on the features, and nothing of them knows it. */
@Module({
  imports: [JournalModule, TypeOrmModule.forFeature([ScimConnection])],
  controllers: [ConnectionsController],
  providers: [
    ChangeConnectionService,
    ConnectionsReader,
    CreateConnectionService,
    DeleteConnectionService,
    RotateTokenService,
    ScimGuard,
  ],
})
export class ScimModule {}
