import { Controller, Get, Header } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Registry } from 'prom-client';
import { Public } from '../auth/public.decorator';
import { ServiceMetrics } from './service-metrics';

/** For Prometheus. No part of the interface: names of metrics may come and go with what there is to measure. */
@Controller('metrics')
@ApiExcludeController()
@Public()
export class MetricsController {
  constructor(private readonly metrics: ServiceMetrics) {}

  @Get()
  @Header('Content-Type', Registry.PROMETHEUS_CONTENT_TYPE)
  read(): Promise<string> {
    return this.metrics.text();
  }
}
