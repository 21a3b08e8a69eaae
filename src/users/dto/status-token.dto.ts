import { ApiProperty } from '@nestjs/swagger';

export class StatusTokenDto {
  @ApiProperty({ type: 'integer', enum: [200], example: 200, description: 'The HTTP status, as a number.' })
  status!: 200;

  @ApiProperty({
    description: 'The status token, a JWT for the body of manage-status.',
    example:
      'eyJhbGciOiJIUzI1NiIsInR5cCI6InVzZXItc3RhdHVzK2p3dCJ9.eyJzdWIiOiJldmUiLCJzdGF0dXMiOiJhY3RpdmUifQ.c2lnbmF0dXJl',
  })
  token!: string;

  @ApiProperty({ format: 'date-time', description: 'When it expires, in UTC.', example: '2030-01-01T00:15:00.000Z' })
  expiresAt!: string;
}
