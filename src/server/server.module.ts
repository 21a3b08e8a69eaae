import { Global, Module } from '@nestjs/common';
import { BodyMemory } from './body-memory';
import { RateLimitGuard } from './rate-limit.guard';
import { InputInterceptor } from './input.interceptor';
import { RefusalCounts } from './refusal-counts';
import { RequestsUnderWay } from './requests-under-way';
import { RouteTable } from './route-table';
import { StalledAnswers } from './stalled-answers';

const PROVIDERS = [
  RouteTable,
  RequestsUnderWay,
  StalledAnswers,
  RateLimitGuard,
  BodyMemory,
  InputInterceptor,
  RefusalCounts,
];

@Global()
@Module({ providers: PROVIDERS, exports: PROVIDERS })
export class ServerModule {}
