import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module';
import { DirectoryModule } from '../directory/directory.module';
import { DatabaseMetrics } from './database-metrics';
import { DirectoryMetrics } from './directory-metrics';
import { HealthController } from './health.controller';
import { KeySetMetrics } from './key-set-metrics';
import { Metrics } from './metrics';
import { MetricsController } from './metrics.controller';
import { Readiness } from './readiness';
import { RequestMetrics } from './request-metrics';
import { WebhooksModule } from '../webhooks/webhooks.module';
import { WebhookMetrics } from './webhook-metrics';

@Module({
  imports: [AuthModule, DirectoryModule, WebhooksModule],
  controllers: [HealthController, MetricsController],
  providers: [Readiness, Metrics, RequestMetrics, DatabaseMetrics, DirectoryMetrics, KeySetMetrics, WebhookMetrics],
})
export class HealthModule {}
