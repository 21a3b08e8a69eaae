import { Injectable } from '@nestjs/common';
import { PAGE_BYTES } from '../answers/page-budget';
import type { UserType } from '../contract/directory';
import { ServiceError } from '../contract/errors';
import { isIdentifier } from '../contract/identifiers';
import type { Actor } from '../contract/journal';
import { Statements } from '@user-administration/postgres';
import { LIMITS } from '../contract/limits';
import { Sealer } from '../journal/sealer';
import { ListCursor } from '../records/list-cursor';
import { UserTypeRule } from './user-type/user-type-rule';
import type {
  HeldPermissionDto,
  HeldPermissionsDto,
  HeldPermissionsQueryDto,
  PermissionSource,
  SourcePlace,
} from './dto/held-permissions.dto';

interface Row {
  type: UserType;
  /** Null for a user without permissions. */
  permission: string | null;
  grants: UserType;
  kind: SourcePlace['kind'];
  place: string;
  workspace: string;
  /** When the membership ends. */
  until: Date | null;
  since: Date | null;
  /** Null if the journal does not know the change. */
  actor_kind: Actor['kind'] | null;
  actor_id: string;
  reason: string | null;
  /** The number of sources that are not shown. */
  more: number;
  /** Whether permissions follow the page. */
  has_next: boolean;
}

/**
 * Explains a user's permissions, by id and in pages. Each page is one statement, so that the type and its reasons come
 * from the same moment.
 */
@Injectable()
export class ExplainPermissionsService {
  constructor(
    private readonly statements: Statements,
    private readonly sealer: Sealer,
    private readonly rule: UserTypeRule,
  ) {}

  /** @throws ServiceError `user.unknown`, `query.invalid` for a cursor of another list */
  async execute(id: string, { limit, cursor: text }: HeldPermissionsQueryDto): Promise<HeldPermissionsDto> {
    if (!isIdentifier(id)) throw new ServiceError('user.unknown');
    const cursor = new ListCursor(['permissions of a user', id]);
    const after = cursor.read(text)?.id;
    await this.sealer.seal();
    const rows = await this.read(id, limit, after);
    const [user] = rows;
    if (!user) throw new ServiceError('user.unknown');
    const isOwnRule = this.rule.query !== null;
    const permissions: HeldPermissionDto[] = [];
    for (const row of rows) {
      if (row.permission === null) continue;
      const last = permissions.at(-1);
      if (last?.id === row.permission) last.sources.push(toSource(row));
      else permissions.push(toPermission(row, row.permission, isOwnRule));
    }
    const last = user.has_next ? permissions.at(-1) : undefined;
    const rule = isOwnRule && { rule: 'application' as const };
    return { type: user.type, ...rule, next: last ? cursor.write({ id: last.id }) : null, permissions };
  }

  private read(id: string, limit: number, after: string | undefined): Promise<Row[]> {
    return this.statements.query(
      `SELECT current_type(users.key, users.type) AS type, source.*
       FROM users LEFT JOIN LATERAL permission_sources(users.key, $2, $3, $4, $5) AS source ON true
       WHERE users.id = $1`,
      [id, after, limit, LIMITS.sources, PAGE_BYTES],
    );
  }
}

/** What a permission means to an application's own rule, nobody knows but the application. */
function toPermission(row: Row, id: string, isOwnRule: boolean): HeldPermissionDto {
  const { grants, type, more } = row;
  const earnsType = isOwnRule ? null : grants === type;
  return { id, grants, earnsType, sources: [toSource(row)], ...(more > 0 && { more }) };
}

function toSource(row: Row): PermissionSource {
  const { until, since, actor_kind: kind, actor_id: id, reason } = row;
  return {
    ...placeOf(row),
    ...(until && { until: until.toISOString() }),
    since: since && since.toISOString(),
    actor: kind && { kind, id },
    reason,
  };
}

function placeOf({ kind, place: id, workspace }: Row): SourcePlace {
  if (kind === 'user') return { kind };
  return kind === 'workspace' ? { kind, id } : { kind, id, workspace };
}
