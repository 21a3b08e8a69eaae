import { queryObjects } from 'node:v8';
import { Transactions } from '../../src/database/transactions';
import type { AffectedUsers } from '../../src/directory/affected-users';
import { ChangeCounts } from '../../src/directory/change-counts';
import { LockedUsers } from '../../src/directory/locked-users';
import { Journal } from '../../src/journal/journal';
import { AffectedTypes } from '../../src/users/user-type/affected-types.service';
import { type TypeChange, UserTypeService } from '../../src/users/user-type/user-type.service';
import { asJudged } from '../support/as-judged';
import { useTestService } from '../support/test-service';

const PARTS = 6;

class Recomputed extends Array<TypeChange> {}

const judged = asJudged({ actor: { kind: 'system', id: 'test' } });

const service = useTestService();

// A change can affect a million users.
it('the types of one part of the users are in memory, and not those of the parts before it', async () => {
  const { app } = service;
  async function* parts(manager: Parameters<typeof LockedUsers.lock>[0]) {
    for (let part = 0; part < PARTS; part++) yield await LockedUsers.lock(manager, []);
  }
  const recompute = (...users: Parameters<UserTypeService['recompute']>) =>
    app
      .get(UserTypeService)
      .recompute(...users)
      .then((types) => Recomputed.from(types));
  const types = new AffectedTypes({ recompute } as UserTypeService, app.get(Journal), app.get(ChangeCounts));
  let part = 0;
  let alive = 0;
  await app.get(Transactions).run((manager) =>
    types.refresh(manager, { parts: () => parts(manager) } as AffectedUsers, judged, () => {
      part += 1;
      // This visits the whole heap, which takes seconds.
      if (part === PARTS) alive = queryObjects(Recomputed, { format: 'count' }) as number;
      return Promise.resolve(0);
    }),
  );
  expect({ part, few: alive < PARTS / 2 }).toEqual({ part: PARTS, few: true });
});
