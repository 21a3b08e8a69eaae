import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { IsFlag } from '../../server/query-value.decorators';

export class DeleteUserQueryDto {
  @ApiPropertyOptional({
    default: false,
    description:
      'Also erases the personal facts of the user: the email and display name, and the reasons of all requests that concerned the user. A user who was deleted before can be erased as well, and again.',
  })
  @IsOptional()
  @IsFlag()
  erase?: boolean;
}
