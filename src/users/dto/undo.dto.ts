import { ApiProperty, ApiPropertyOptional, OmitType, PartialType } from '@nestjs/swagger';
import { ChangedPlacesDto, DoneDto, LeftOutDto, StatusBeforeAndAfterDto } from './bulk.dto';
import { Reason } from './reason.decorator';

export class UndoDto {
  @Reason('The wrong people')
  reason?: string | null;
}

/** What changed for a user: memberships and the type, the status, or both. */
export class UndoneUserDto extends PartialType(OmitType(ChangedPlacesDto, ['id'])) {
  @ApiProperty()
  id!: string;

  @ApiPropertyOptional({ description: 'The status, if it changed.' })
  status?: StatusBeforeAndAfterDto;
}

export class UndoResultDto extends LeftOutDto {
  @ApiProperty({ type: [UndoneUserDto], description: 'The changed users, in order of id.' })
  users!: UndoneUserDto[];

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    description: 'How many records of all four kinds keep something of an import: creations, fields, grants.',
  })
  kept?: number;
}

export class UndoAnswerDto extends DoneDto {
  @ApiPropertyOptional({ description: 'For callers that ask for it.' })
  result?: UndoResultDto;
}
