import { Controller, Param, Post } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { AdministratorEndpoint } from '../auth/guarded-endpoint.decorators';
import { type ChangeContext, CurrentChange } from '../auth/change-context';
import { CurrentPreferences, type Preferences } from '@user-administration/http';
import { ValidatedBody, ValidatedQuery } from '../server/validated.decorators';
import { DryRunQueryDto } from '../records/dry-run.dto';
import { DEMO_CHANGE } from './demo-change';
import { UndoAnswerDto, UndoDto } from './dto/undo.dto';
import { UndoRequestService } from './undo-request.service';

@Controller('api/journal')
@ApiTags('Journal')
export class UndoController {
  constructor(private readonly undoing: UndoRequestService) {}

  @Post(':id/undo')
  @ApiBody({ type: UndoDto, required: false })
  @ApiOkResponse({ description: 'Done.', type: UndoAnswerDto })
  @AdministratorEndpoint({
    summary: 'Undo a change of memberships or statuses',
    description: `For administrators. Takes back what one request has assigned, unassigned, activated or deactivated:
everything that it did, whichever of its entries \`id\` names. What somebody has changed since stays as it is, and so
does a workspace in which the user has got a group since. A group comes back only to a user who is in its workspace. The
types of the users follow.

Of an import, the memberships, their ends and the statuses of users who existed before are taken back. What it created
stays, and so do fields and permissions: \`kept\` of the result counts these records.

Undoing again changes nothing and says so, and an undoing can be undone. \`dryRun=true\` returns what would change, and
changes nothing. \`Prefer: return=representation\` returns what has changed.

A change that would leave no active administrator is refused.`,
    answers: 'journal.undone',
    preferences: true,
    parameters: { id: { description: 'The id of an entry of the journal.', example: DEMO_CHANGE } },
    refuses: [
      'query.invalid',
      'journal.unknown',
      'journal.not_undoable',
      'reason.invalid',
      'request.too_large_to_represent',
      'directory.last_administrator',
    ],
    refusalArgs: { 'query.invalid': { name: 'dryRun' } },
    examples: { undo: { summary: 'With a reason', value: { reason: 'The wrong people' } } },
  })
  undoChange(
    @Param('id') id: string,
    @ValidatedBody() body: UndoDto,
    @ValidatedQuery() query: DryRunQueryDto,
    @CurrentPreferences() preferences: Preferences,
    @CurrentChange() context: ChangeContext,
  ): Promise<object | undefined> {
    return this.undoing.execute(id, body, context, { ...query, representation: preferences.representation });
  }
}
