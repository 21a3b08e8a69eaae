import { Global, Module } from '@nestjs/common';
import { CONFIG } from '../config/config';
import {
  BodyMemory,
  HTTP_OPTIONS,
  RateLimitGuard,
  RefusalCounts,
  RequestsUnderWay,
  RouteTable,
  StalledAnswers,
} from '@user-administration/http';
import { InputInterceptor } from './input.interceptor';

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
@Module({ providers: [...PROVIDERS, { provide: HTTP_OPTIONS, useExisting: CONFIG }], exports: PROVIDERS })
export class ServerModule {}
