import { Global, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { AdmissionGuard } from './admission.guard';
import { JsonBodyStep } from './json-body.step';
import { RequestsUnderWay } from './requests-under-way';
import { RouteTable } from './route-table';

@Global()
@Module({
  providers: [
    RouteTable,
    RequestsUnderWay,
    AdmissionGuard,
    { provide: APP_GUARD, useExisting: AdmissionGuard },
    JsonBodyStep,
  ],
  exports: [RequestsUnderWay, RouteTable, JsonBodyStep],
})
export class ServerModule {}
