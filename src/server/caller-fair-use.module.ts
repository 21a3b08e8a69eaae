import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { CallerFairUseGuard } from './caller-fair-use.guard';

/** Guards run in the order in which the app imports their modules. This one comes after the guard that identifies the caller. */
@Module({ providers: [{ provide: APP_GUARD, useClass: CallerFairUseGuard }] })
export class CallerFairUseModule {}
