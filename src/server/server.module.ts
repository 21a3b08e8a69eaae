import { Global, Module } from '@nestjs/common';
import { BodyMemory } from './body-memory';
import { FairUse } from './fair-use.guard';
import { InputInterceptor } from './input.interceptor';
import { RefusalCounts } from './refusal-counts';
import { RequestsUnderWay } from './requests-under-way';
import { RouteTable } from './route-table';
import { StalledAnswers } from './stalled-answers';

const PROVIDERS = [RouteTable, RequestsUnderWay, StalledAnswers, FairUse, BodyMemory, InputInterceptor, RefusalCounts];

@Global()
@Module({ providers: PROVIDERS, exports: PROVIDERS })
export class ServerModule {}
