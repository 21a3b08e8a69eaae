import { Global, Module } from '@nestjs/common';
import { BodyMemory } from './body-memory';
import { FairUse } from './fair-use';
import { DryRunInterceptor } from './dry-run.interceptor';
import { JsonBodyInterceptor } from './json-body.interceptor';
import { RefusalCounts } from './refusal-counts';
import { RequestsUnderWay } from './requests-under-way';
import { RouteTable } from './route-table';
import { StalledAnswers } from './stalled-answers';

@Global()
@Module({
  providers: [
    RouteTable,
    RequestsUnderWay,
    StalledAnswers,
    FairUse,
    BodyMemory,
    DryRunInterceptor,
    JsonBodyInterceptor,
    RefusalCounts,
  ],
  exports: [RouteTable, RequestsUnderWay, FairUse, BodyMemory, DryRunInterceptor, JsonBodyInterceptor, RefusalCounts],
})
export class ServerModule {}
