import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { LIMITS } from '../contract/limits';

/** The cursor of a page. */
export function Next(): PropertyDecorator {
  return ApiProperty({
    type: String,
    nullable: true,
    example: null,
    description: 'The `cursor` of the next page; null on the last page.',
  });
}

export class TotalDto {
  @ApiProperty({ type: 'integer', maximum: LIMITS.counted, example: 3010 })
  count!: number;

  @ApiProperty({ description: 'Whether no more than `count` match.' })
  exact!: boolean;
}

/** The `total` of a list. */
export function Total(): PropertyDecorator {
  return ApiPropertyOptional({ type: TotalDto });
}

/** The `permissions` of a single record. */
export function DirectPermissions(example: string): PropertyDecorator {
  return ApiProperty({
    type: [String],
    example: [example],
    description: 'The ids of the direct permissions, in order.',
  });
}

/** When a record was created and last changed. */
export class TimestampsDto {
  @ApiProperty({ format: 'date-time', example: '2030-01-01T12:00:00.000Z' })
  createdAt!: string;

  @ApiProperty({ format: 'date-time', example: '2030-01-01T12:00:00.000Z' })
  updatedAt!: string;
}
