import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Public } from '../auth/public.decorator';
import { Endpoint } from '../openapi/endpoint.decorator';
import { HealthDto } from './health.dto';
import { Readiness } from './readiness';

@Controller('health')
@ApiTags('Health')
@Public()
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  @Get('live')
  @ApiOkResponse({ description: 'The process answers.', type: HealthDto })
  @Endpoint({
    summary: 'Is the process alive?',
    description: 'Does not check the database. An orchestrator restarts a process that does not answer.',
  })
  live(): HealthDto {
    return { status: 'ok' };
  }

  @Get('ready')
  @ApiOkResponse({ description: 'The database answers, and its schema is in place.', type: HealthDto })
  @Endpoint({
    summary: 'Can it serve requests?',
    description:
      'A load balancer sends requests only to a service that is ready. The service is not ready ' +
      'during a migration, while the database is unavailable, and while it shuts down.',
    refuses: ['service.unavailable'],
  })
  ready(): HealthDto {
    this.readiness.require();
    return { status: 'ok' };
  }
}
