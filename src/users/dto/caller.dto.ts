import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { UserDto } from './user.dto';

export class CallerDto {
  @ApiProperty({ enum: ['user', 'service'], example: 'user' })
  kind!: 'user' | 'service';

  @ApiProperty({ example: 'ada' })
  id!: string;

  @ApiProperty({ example: true, description: 'Whether the caller may use the operations for administrators.' })
  administrator!: boolean;

  @ApiPropertyOptional({ type: UserDto, description: 'The record of the caller; only if the caller is a user.' })
  user?: UserDto;
}
