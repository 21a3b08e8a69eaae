import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { type FieldValues, fieldsOf } from '../../contract/record-fields';
import { UserDto } from './user.dto';

/** An administrator has no `mayRead`, so the example is a user who only reads. */
const READER: UserDto = {
  id: 'flo',
  ...(Object.fromEntries(fieldsOf('user').map(([name, { told }]) => [name, told.example])) as FieldValues<'user'>),
  email: 'flo@example.com',
  displayName: 'Flo',
  type: 'guest',
  createdAt: '2030-01-01T12:00:00.000Z',
  updatedAt: '2030-01-01T12:00:00.000Z',
};

export class CallerDto {
  @ApiProperty({ enum: ['user', 'service'], example: 'user' })
  kind!: 'user' | 'service';

  @ApiProperty({ example: 'flo' })
  id!: string;

  @ApiProperty({ example: false, description: 'Whether the caller may use the operations for administrators.' })
  administrator!: boolean;

  @ApiPropertyOptional({ enum: [true], description: 'If the caller reads what administrators read, and is none.' })
  mayRead?: true;

  @ApiPropertyOptional({
    type: UserDto,
    example: READER,
    description: 'The record of the caller; only if the caller is a user.',
  })
  user?: UserDto;
}
