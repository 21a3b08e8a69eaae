import { ApiProperty } from '../openapi/documentation.decorators';

export class HealthDto {
  @ApiProperty({ type: String, enum: ['ok'], example: 'ok' })
  status!: 'ok';
}
