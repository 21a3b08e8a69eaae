import type { EntityManager } from 'typeorm';
import { judgeCaller } from '../../auth/judge-caller';
import type { Attribution } from '../../contract/attribution';
import { ExpectedError } from '../../contract/expected-error';
import { refusalOf } from '../../database/refusals';
import type { AffectedTypes } from './affected-types.service';
import type { UserTypeRule } from './user-type-rule';

/** The types of the directory are derived by another rule than that of this program. */
class OtherRuleError extends ExpectedError {}

const ANOTHER =
  'The user types in this directory follow another rule than that of this program. Run a program that has their ' +
  'rule, or set USER_TYPE_RULE_TAKE_OVER=true to derive all types anew by the rule of this one. Nothing was changed.';
const NO_ADMINISTRATOR = 'The rule of this program would leave no active administrator. Nothing was changed.';

const ALL_USERS = { statement: 'SELECT key FROM users', parameters: [] };

/**
 * Requires that the types of the directory are derived by the rule of this program, or by none yet: the first change
 * records it. With `takesOver`, another rule is replaced, and the caller must derive all types anew in this
 * transaction.
 *
 * Every change compares the rules again once its users are locked (`claim_user_type_rule`). A take-over locks all
 * users, so a program with the rule before changes no type from then on.
 *
 * @returns whether another rule was replaced
 * @throws OtherRuleError if there is another rule
 */
export async function claimUserTypes(manager: EntityManager, rule: UserTypeRule, takesOver: boolean): Promise<boolean> {
  const [row] = await manager.query<{ isOurs: boolean }[]>(
    'SELECT fingerprint = user_type_fingerprint($1) AS "isOurs" FROM user_type_rule',
    [rule.query],
  );
  if (!row || row.isOurs) return false;
  if (!takesOver) throw new OtherRuleError(ANOTHER);
  // Changes wait, or have been made by the rule before.
  await manager.query('LOCK TABLE users IN EXCLUSIVE MODE');
  await manager.query('UPDATE user_type_rule SET fingerprint = user_type_fingerprint($1)', [rule.query]);
  return true;
}

/**
 * As {@link claimUserTypes}, and derives all types anew.
 *
 * @throws OtherRuleError also if no active administrator would be left
 */
export async function ownUserTypes(
  manager: EntityManager,
  types: AffectedTypes,
  attribution: Attribution,
  takesOver: boolean,
): Promise<void> {
  if (!(await claimUserTypes(manager, types.rule, takesOver))) return;
  try {
    const users = await types.lock(manager, ALL_USERS, attribution);
    await types.refresh(manager, users, await judgeCaller(manager, attribution));
  } catch (error) {
    const isLast = refusalOf(error)?.code === 'directory.last_administrator';
    throw isLast ? new OtherRuleError(NO_ADMINISTRATOR, { cause: error }) : error;
  }
}
