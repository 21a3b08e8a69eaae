import { Module } from '@nestjs/common';
import { DirectoryModule } from '../directory/directory.module';
import { UsersModule } from '../users/users.module';
import { Expiry } from './expiry';
import { OverdueEnds } from './overdue-ends';

@Module({
  imports: [DirectoryModule, UsersModule],
  providers: [Expiry, OverdueEnds],
  exports: [Expiry, OverdueEnds],
})
export class ExpiryModule {}
