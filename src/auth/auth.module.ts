import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { AccessTokens } from './access-tokens';
import { AdminGuard } from './admin.guard';
import { Callers } from './callers';
import { JwtAuthGuard } from './jwt-auth.guard';
import { JwtStrategy } from './jwt.strategy';
import { StatusTokens } from './status-tokens';
import { UserRecords } from './user-records';

@Module({
  providers: [
    AccessTokens,
    Callers,
    JwtStrategy,
    StatusTokens,
    UserRecords,
    AdminGuard,
    { provide: APP_GUARD, useClass: JwtAuthGuard },
  ],
  exports: [AccessTokens, Callers, StatusTokens, AdminGuard],
})
export class AuthModule {}
