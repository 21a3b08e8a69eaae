import type { Candidate } from './find-candidates';
import { hasLeft } from './leavers';
import { ScimError } from './scim-error';

/**
 * Which user a POST means: who has left and is the same person, else who has the id, else who has the email and has
 * never left.
 *
 * @returns undefined for a new one
 * @throws ScimError `uniqueness` if somebody else has the id
 */
export function chooseCandidate(candidates: readonly Candidate[], connectionKey: string): Candidate | undefined {
  const back = candidates.filter(({ leaver }) => leaver?.holds && leaver.isSame);
  const comesBack = back.find(({ leaver }) => leaver?.isOurs) ?? back[0];
  if (comesBack) return comesBack;
  const withId = candidates.find(({ hasId }) => hasId);
  if (withId?.leaver && !withId.leaver.isSame) throw hasLeft();
  if (withId && withId.connectionKey !== null) {
    const whose =
      withId.connectionKey === connectionKey ? 'Another user of this connection' : 'A user of another connection';
    throw new ScimError('uniqueness', `${whose} has this id.`);
  }
  return withId ?? candidates.find(({ hasEmail, connectionKey: of, leaver }) => hasEmail && of === null && !leaver);
}
