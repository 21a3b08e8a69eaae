import { Injectable } from '@nestjs/common';
import type { UserType } from '../contract/directory';
import { ServiceError } from '../contract/errors';
import { isIdentifier } from '../contract/identifiers';
import type { Actor } from '../contract/journal';
import { Statements } from '../database/statements';
import type { HeldPermissionDto, HeldPermissionsDto, PermissionSource, SourcePlace } from './dto/held-permissions.dto';

interface Row {
  type: UserType;
  /** Null for a user without permissions. */
  permission: string | null;
  grants: UserType;
  kind: SourcePlace['kind'];
  place: string;
  workspace: string;
  at: Date | null;
  actor_kind: Actor['kind'];
  actor_id: string;
  reason: string | null;
}

/** Explains a user's permissions. It is one statement, so that the type and its reasons come from the same moment. */
@Injectable()
export class ExplainPermissionsService {
  constructor(private readonly statements: Statements) {}

  /** @throws ServiceError `user.unknown` */
  async execute(id: string): Promise<HeldPermissionsDto> {
    const rows = isIdentifier(id) ? await this.read(id) : [];
    const [user] = rows;
    if (!user) throw new ServiceError('user.unknown');
    const permissions: HeldPermissionDto[] = [];
    for (const row of rows) {
      if (row.permission === null) continue;
      const last = permissions.at(-1);
      if (last?.id === row.permission) last.sources.push(toSource(row));
      else permissions.push(toPermission(row, row.permission));
    }
    return { type: user.type, permissions };
  }

  private read(id: string): Promise<Row[]> {
    return this.statements.query(
      `SELECT users.type, source.* FROM users LEFT JOIN LATERAL permission_sources(users.key, users.id) AS source ON true
       WHERE users.id = $1`,
      [id],
    );
  }
}

function toPermission(row: Row, id: string): HeldPermissionDto {
  const { grants, type } = row;
  return { id, grants, earnsType: grants === type, sources: [toSource(row)] };
}

function toSource(row: Row): PermissionSource {
  const { at, actor_kind: kind, actor_id: id, reason } = row;
  return { ...placeOf(row), since: at && at.toISOString(), actor: at && { kind, id }, reason };
}

function placeOf({ kind, place: id, workspace }: Row): SourcePlace {
  if (kind === 'user') return { kind };
  return kind === 'workspace' ? { kind, id } : { kind, id, workspace };
}
