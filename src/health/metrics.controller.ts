import { Controller, Get, Header } from '@nestjs/common';
import { Registry } from 'prom-client';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '../auth/public.decorator';
import { Metrics } from './metrics';

/** For Prometheus. It is not part of the API: metrics can change between releases. */
@Controller('metrics')
@ApiExcludeController()
@Public()
export class MetricsController {
  constructor(private readonly metrics: Metrics) {}

  @Get()
  @Header('Content-Type', Registry.PROMETHEUS_CONTENT_TYPE)
  read(): Promise<string> {
    return this.metrics.registry.metrics();
  }
}
