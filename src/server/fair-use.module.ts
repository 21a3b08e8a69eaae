import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { CallerFairUseGuard } from './caller-fair-use.guard';

/** Guards run in the order in which the app imports their modules: this one comes after the one that finds out who calls. */
@Module({ providers: [{ provide: APP_GUARD, useClass: CallerFairUseGuard }] })
export class CallerFairUseModule {}
