import { ApiProperty } from '@nestjs/swagger';

export class HealthDto {
  @ApiProperty({ type: String, enum: ['ok'], example: 'ok' })
  status!: 'ok';
}
