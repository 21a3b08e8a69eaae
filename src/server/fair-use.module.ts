import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { ThrottlerModule } from '@nestjs/throttler';
import { CONFIG, type Config } from '../config/config';
import { AddressGuard, CallerGuard } from './fair-use.guards';
import { WindowCounters } from './window-counters';

/** Comes before the guards that ask who calls. */
@Module({
  imports: [
    ThrottlerModule.forRootAsync({
      inject: [CONFIG],
      useFactory: ({ fairUse }: Config) => ({
        throttlers: [
          { name: 'address', limit: fairUse.perAddress, ttl: fairUse.windowSeconds * 1000 },
          { name: 'caller', limit: fairUse.perCaller, ttl: fairUse.windowSeconds * 1000 },
        ],
        storage: new WindowCounters(),
      }),
    }),
  ],
  providers: [{ provide: APP_GUARD, useClass: AddressGuard }],
  exports: [ThrottlerModule],
})
export class AddressFairUseModule {}

/** And this one after them. The order is that of the modules of the app. */
@Module({ imports: [AddressFairUseModule], providers: [{ provide: APP_GUARD, useClass: CallerGuard }] })
export class CallerFairUseModule {}
