import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { UserDto } from './user.dto';

export class CallerDto {
  @ApiProperty({ enum: ['user', 'service'], example: 'user' })
  kind!: 'user' | 'service';

  @ApiProperty({ example: 'ada' })
  id!: string;

  @ApiProperty({ example: true, description: 'Whether the caller may use the operations for administrators.' })
  administrator!: boolean;

  @ApiPropertyOptional({ enum: [true], description: 'If the caller reads what administrators read, and is none.' })
  mayRead?: true;

  @ApiPropertyOptional({ type: UserDto, description: 'The record of the caller; only if the caller is a user.' })
  user?: UserDto;
}
