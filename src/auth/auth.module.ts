import { Module } from '@nestjs/common';
import { AccessTokens } from './access-tokens';
import { Callers } from './callers';
import { JwtAuthGuard } from './jwt-auth.guard';
import { ExpiredStatusTokens } from './expired-status-tokens';
import { StatusTokens } from './status-tokens';
import { TurnInterceptor } from './turn.interceptor';
import { UserRecords } from './user-records';

@Module({
  providers: [AccessTokens, Callers, ExpiredStatusTokens, StatusTokens, UserRecords, JwtAuthGuard, TurnInterceptor],
  exports: [AccessTokens, Callers, ExpiredStatusTokens, StatusTokens, JwtAuthGuard, TurnInterceptor],
})
export class AuthModule {}
