import { TokenVerifier } from '@user-administration/access-tokens';
import { CONFIG, type Config } from '../config/config';
import { randomUUID } from 'node:crypto';
import { Module } from '@nestjs/common';
import { PassportModule } from '@nestjs/passport';
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
    {
      provide: TokenVerifier,
      inject: [CONFIG],
      useFactory: ({ accessTokens }: Config) => new TokenVerifier(accessTokens),
    },
    Callers,
    CallingServices,
    JwtStrategy,
    ExpiredStatusTokens,
    StatusTokens,
    UserRecords,
    JwtAuthGuard,
    ConnectionSlotInterceptor,
  ],
  exports: [TokenVerifier, Callers, ExpiredStatusTokens, StatusTokens, JwtAuthGuard, ConnectionSlotInterceptor],
})
export class AuthModule {}
