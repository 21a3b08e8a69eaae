import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, ValidateBy } from 'class-validator';
import { ChangeQueryDto, type DryRunQueryDto } from '../../records/dry-run.dto';
import { Parsed } from '../../server/query-value.decorators';

/**
 * Whom a deletion also erases: nobody, everybody who ever bore the id and lives under no other, or those of them who
 * are gone.
 */
export type Erasure = boolean | 'former';

const ERASURES: Record<string, Erasure> = { true: true, false: false, former: 'former' };

export class DeleteUserQueryDto extends ChangeQueryDto {
  @ApiPropertyOptional({
    type: String,
    enum: Object.keys(ERASURES),
    default: 'false',
    description:
      '`true` also erases the personal facts of the user and of everybody else who ever bore the id and lives ' +
      'under no other: the email and display name, and the reasons of all requests that concerned them. Users who ' +
      'were deleted before can be erased as well, and again. `former` does that, and spares who bears the id now.',
  })
  @IsOptional()
  @Parsed((text) => (Object.hasOwn(ERASURES, text) ? ERASURES[text] : text))
  @IsIn(Object.values(ERASURES))
  @IsNoDryRun()
  erase?: Erasure;
}

/** An erasure cannot be rolled back whole: it has a part after its transaction. */
function IsNoDryRun(): PropertyDecorator {
  return ValidateBy({
    name: 'isNoDryRun',
    validator: { validate: (erase, given) => !erase || !(given?.object as DryRunQueryDto).dryRun },
  });
}
