import { Injectable } from '@nestjs/common';
import { prepared, ReservedStatements } from '@user-administration/postgres';

/** Ends are carried out within five seconds, so later ones are refused, or nobody carries them out. */
const isOverdue = (end: string): string => `${end} <= ends_clock() - interval '5 seconds'`;

const OVERDUE = prepared(
  'overdue_ends',
  `SELECT ((SELECT count(*) FROM users WHERE ${isOverdue('active_until')})
     + (SELECT count(*) FROM workspace_memberships WHERE ${isOverdue('ends_at')})
     + (SELECT count(*) FROM group_memberships WHERE ${isOverdue('ends_at')}))::integer AS overdue`,
);

/** The ends of accounts and memberships that passed more than five seconds ago, and that are not carried out. */
@Injectable()
export class OverdueEnds {
  constructor(private readonly statements: ReservedStatements) {}

  async read(): Promise<{ overdue: number }> {
    const [row] = await this.statements.query<[{ overdue: number }]>(OVERDUE);
    return row;
  }
}
