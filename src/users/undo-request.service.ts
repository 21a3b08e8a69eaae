import { Inject, Injectable } from '@nestjs/common';
import { type ChangeContext, withReason } from '../auth/change-context';
import type { Representation } from '../contract/answers';
import { ServiceError } from '../contract/errors';
import { ENDS_ACTOR } from '../contract/journal';
import { DATABASE_PARTS, type DatabasePart } from '../database/database-part';
import { Transactions } from '../database/transactions';
import { ChangeCounts } from '../directory/change-counts';
import { recordingFunction } from '../journal/recording-function';
import { Sealer } from '../journal/sealer';
import { type BulkOptions, type BulkRow, inBulk, represent, wantsResult } from './bulk-changes';
import type { UndoDto, UndoResultDto } from './dto/undo.dto';
import { changedBack } from './recorded-changes';
import { UserTypeService } from './user-type/user-type.service';

/** The answer of `undo_request`, with the numbers of changed users. */
interface UndoRow extends Omit<BulkRow, 'outcome'> {
  outcome: 'done' | 'unknown' | 'not_undoable';
  undone: boolean;
  assigned: number;
  unassigned: number;
  restated: number;
  retyped: number;
  kept: number | null;
}

interface Given {
  entry: string;
  rule: string | null;
  represented: boolean;
  /** Actions of requests that may have done anything. */
  inPart: readonly string[];
  endsActor: string;
}

const undoRequest = recordingFunction<Given, UndoRow>(
  'undo_request',
  { entry: 'entry', rule: 'rule', represented: 'represented', inPart: 'in_part', endsActor: 'ends_actor' },
  'outcome, undone, known_users, assigned, unassigned, restated, retyped, changes, kept',
);

/** Without a result, if nobody asked for one. */
type UndoAnswer = Partial<Representation<UndoResultDto>> | undefined;

/** The id of an entry: a position in the journal. */
const ENTRY = /^[1-9]\d{0,15}$/;

/**
 * Undoes what one request has assigned, unassigned, activated or deactivated, except what a later change has touched.
 * So undoing again changes nothing, and an undoing can be undone.
 *
 * `sql/undo_request.sql` is the second half of this page, as for `ChangeMemberships`.
 *
 * @example await app.get(UndoRequestService).execute('74217034874881', {}, { actor: { kind: 'service', id:
 * 'provisioning' } });
 */
@Injectable()
export class UndoRequestService {
  constructor(
    private readonly transactions: Transactions,
    private readonly sealer: Sealer,
    private readonly userTypes: UserTypeService,
    private readonly counts: ChangeCounts,
    @Inject(DATABASE_PARTS) private readonly parts: readonly DatabasePart[],
  ) {}

  /**
   * @param entry the id of any entry of the request
   * @throws ServiceError `journal.unknown`, `journal.not_undoable`, `request.too_large_to_represent`, or
   *   `directory.last_administrator` when no active administrator would be left
   */
  async execute(
    entry: string,
    request: UndoDto,
    context: ChangeContext,
    { dryRun = false, representation = false }: Partial<BulkOptions> = {},
  ): Promise<UndoAnswer> {
    const options = { dryRun, representation, lenient: false };
    // The request of an entry is whole once everything is sealed.
    await this.sealer.seal();

    const attribution = withReason(context, request);
    const given = {
      entry: ENTRY.test(entry) ? entry : '0',
      rule: this.userTypes.rule.query,
      represented: wantsResult(options),
      inPart: this.parts.flatMap(({ actions }) => actions?.undoneInPart() ?? []),
      endsActor: ENDS_ACTOR.id,
    };
    const { row, answer } = await inBulk(this.transactions, options, context.unit, async (sender) => {
      const row = await undoRequest(sender, attribution, given);
      if (row.outcome === 'unknown') throw new ServiceError('journal.unknown');
      if (row.outcome === 'not_undoable') throw new ServiceError('journal.not_undoable');
      const kept = row.kept ? { kept: row.kept } : {};
      const answer: UndoAnswer = represent([], {}, options, row, changedBack, kept);
      return { row, answer: row.undone ? answer : { ...answer, sentence: 'journal.nothing_undone' } };
    });
    if (!dryRun) {
      const { assigned, unassigned, restated, retyped } = row;
      this.counts.add({ assignments: assigned, unassignments: unassigned, statuses: restated, types: retyped });
    }
    return answer;
  }
}
