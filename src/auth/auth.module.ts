import { randomUUID } from 'node:crypto';
import { Module } from '@nestjs/common';
import { PassportModule } from '@nestjs/passport';
import { AccessTokens } from './access-tokens';
import { CallingServices } from './calling-services';
import { Callers, UserRecords } from './callers';
import { JwtAuthGuard } from './jwt-auth.guard';
import { JwtStrategy } from './jwt.strategy';
import { ExpiredStatusTokens } from './expired-status-tokens';
import { StatusTokens } from './status-tokens';
import { ConnectionSlotInterceptor } from './connection-slot.interceptor';

/**
 * passport has one registry of strategies for the process, but each app has its own keys and database, so each app uses
 * its own name.
 */
const STRATEGY_OF_THE_APP = { useFactory: () => ({ defaultStrategy: `jwt-${randomUUID()}` }) };

@Module({
  imports: [PassportModule.registerAsync(STRATEGY_OF_THE_APP)],
  providers: [
    AccessTokens,
    Callers,
    CallingServices,
    JwtStrategy,
    ExpiredStatusTokens,
    StatusTokens,
    UserRecords,
    JwtAuthGuard,
    ConnectionSlotInterceptor,
  ],
  exports: [AccessTokens, Callers, ExpiredStatusTokens, StatusTokens, JwtAuthGuard, ConnectionSlotInterceptor],
})
export class AuthModule {}
