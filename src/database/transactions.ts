import { Inject, Injectable, Optional } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { ConnectionPools, Statements, UnitsOfWork } from '@user-administration/postgres';
import { DataSource, type EntityManager } from 'typeorm';
import { refusalOf } from './refusals';
import { APPEND_LAST, CHANGES_OF_TRANSACTION, type RecordedChange, type Rule, RULES } from './rule';

/**
 * The units of work of the service. A refusal of the database is the {@link ServiceError} that `refusals.ts` names, and
 * the rules of plugins judge what each of them changed.
 */
@Injectable()
export class Transactions extends UnitsOfWork {
  protected override readonly refusalOf = refusalOf;

  constructor(
    @InjectDataSource() dataSource: DataSource,
    statements: Statements,
    pools?: ConnectionPools,
    @Optional() @Inject(RULES) rules: readonly Rule[] = [],
  ) {
    super(dataSource, statements, pools);
    if (rules.length > 0) this.judge = (manager) => judgeBy(rules, manager);
  }
}

async function judgeBy(rules: readonly Rule[], manager: EntityManager): Promise<void> {
  const changes = await manager.query<RecordedChange[]>(CHANGES_OF_TRANSACTION);
  if (changes.length === 0) return;
  for (const rule of rules) await rule.judge(manager, changes);
  await manager.query(APPEND_LAST);
}
