import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module';
import { DirectoryModule } from '../directory/directory.module';
import { ExpiryModule } from '../expiry/expiry.module';
import { JournalModule } from '../journal/journal.module';
import { HealthController } from './health.controller';
import { Metrics } from './metrics';
import { MetricsController } from './metrics.controller';
import { Readiness } from './readiness';
import { ServiceMetrics } from './service-metrics';

@Module({
  imports: [AuthModule, DirectoryModule, ExpiryModule, JournalModule],
  controllers: [HealthController, MetricsController],
  providers: [Readiness, Metrics, ServiceMetrics],
  exports: [Metrics],
})
export class HealthModule {}
