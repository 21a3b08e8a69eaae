import fc from 'fast-check';
import { UserAdministrationClient } from '../src/user-administration-client.ts';
import { UserAdministrationError } from '../src/user-administration-error.ts';
import { type Fault, FAULTS, FaultyService } from './support/faulty-service.ts';
import { ScriptedServer } from './support/scripted-server.ts';

/** All pairs of faults, and some hundreds at random. The whole check, in `.ci/run`, makes 10,000 calls. */
const CALLS = Number(process.env.CLIENT_FAULT_CALLS ?? 2_000);
const AT_ONCE = 100;

type Kind = 'POST' | 'PATCH' | 'PATCH with If-Match' | 'DELETE';
interface Trial {
  kind: Kind;
  faults: Fault[];
}

const trials = fc.record<Trial>({
  kind: fc.constantFrom<Kind>('POST', 'POST', 'PATCH', 'PATCH with If-Match', 'DELETE'),
  faults: fc.array(fc.constantFrom(...FAULTS), { maxLength: 3 }),
});

/** Every pair of faults in the first two attempts of each kind of call, and many random sequences. */
function allTrials(): Trial[] {
  const kinds: Kind[] = ['POST', 'PATCH', 'PATCH with If-Match', 'DELETE'];
  const all = kinds.flatMap((kind) =>
    FAULTS.flatMap((first) => FAULTS.map((second) => ({ kind, faults: [first, second] }))),
  );
  return [...all, ...fc.sample(trials, { numRuns: CALLS - all.length, seed: 11 })];
}

/** A port without a listener. */
const NOWHERE = 'http://127.0.0.1:1';

function call(client: UserAdministrationClient, kind: Kind): Promise<unknown> {
  switch (kind) {
    case 'POST':
      return client.users.manageStatus({ id: 'ben', token: 'token' });
    case 'PATCH':
      return client.users.update('ben', { displayName: 'Ben' });
    case 'PATCH with If-Match':
      return client.users.update('ben', { displayName: 'Ben' }, { ifMatch: '"1"' });
    case 'DELETE':
      return client.users.delete('ben');
  }
}

/** @returns a description of the violation; undefined if there is none */
async function run(service: FaultyService, url: string, subject: string, { kind }: Trial): Promise<string | undefined> {
  const client = new UserAdministrationClient({
    baseUrl: url,
    token: 'token',
    timeoutMs: 150,
    deadlineMs: 20_000,
    fetch: (input, init) => {
      const fault = service.take(subject);
      const target = fault === 'refuse the connection' ? NOWHERE : input;
      const headers = { ...(init?.headers as object), 'x-subject': subject, ...(fault && { 'x-fault': fault }) };
      return fetch(target, { ...init, headers });
    },
  });
  const error = await call(client, kind).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  const count = service.countOf(subject);
  if (error === undefined) return count === 1 ? undefined : `succeeded, and was done ${count} times`;
  if (!(error instanceof UserAdministrationError)) return `failed with ${String(error)}`;
  if (count > 1) return `failed with ${error.code}, and was done ${count} times`;
  return count === 1 && !error.outcomeUnknown ? `failed with ${error.code}, and was done after all` : undefined;
}

describe('faults at every point of the exchange', () => {
  it(`cause no change twice and none unnoticed, in ${CALLS} calls`, async () => {
    const all = allTrials();
    const faults = new Map(all.map(({ faults }, index) => [String(index), [...faults]]));
    const service = new FaultyService(faults);
    const server = await ScriptedServer.start(service.act);
    const wrong: string[] = [];
    let next = 0;
    const worker = async () => {
      for (let index = next++; index < all.length; index = next++) {
        const trial = all[index] as Trial;
        const problem = await run(service, server.url, String(index), trial);
        if (problem) wrong.push(`${trial.kind} with ${trial.faults.join(', ') || 'no fault'}: ${problem}`);
      }
    };
    try {
      await Promise.all(Array.from({ length: AT_ONCE }, worker));
    } finally {
      await server.close();
    }
    expect(wrong.slice(0, 20)).toEqual([]);
  }, 900_000);
});
