import { Module } from '@nestjs/common';
import { AccessTokens } from './access-tokens';
import { Callers } from './callers';
import { JwtAuthGuard } from './jwt-auth.guard';
import { SpentStatusTokens } from './spent-status-tokens';
import { StatusTokens } from './status-tokens';
import { TurnInterceptor } from './turn.interceptor';
import { UserRecords } from './user-records';

@Module({
  providers: [AccessTokens, Callers, SpentStatusTokens, StatusTokens, UserRecords, JwtAuthGuard, TurnInterceptor],
  exports: [AccessTokens, Callers, SpentStatusTokens, StatusTokens, JwtAuthGuard, TurnInterceptor],
})
export class AuthModule {}
