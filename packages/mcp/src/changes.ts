import { randomUUID } from 'node:crypto';
import type { BulkOptions, BulkResult, UserAdministrationClient } from '@user-administration/client';
import type { Bench } from './tool';

export type Result = BulkResult<{ id: string; type?: object }>;
/** An operation on many people, with its body. */
export type Call = (options: BulkOptions) => Promise<{ result?: Result }>;

const ENTRIES = 1_000;

/** Shows what a call would do, and keeps it for `apply`. */
export async function previewOf({ client, previews }: Bench, call: Call, summarise: (result: Result) => string) {
  const dryRun = async () => resultOf(await call({ dryRun: true }));
  const result = await dryRun();
  const requestId = `mcp-${randomUUID()}`;
  let before: string | undefined;
  const kept = previews.add(result, {
    again: dryRun,
    async make(idempotencyKey) {
      // The cursor of before the first attempt: a later one is answered with what that has done.
      before ??= await client.journal.now();
      return resultOf(await call({ representation: true, idempotencyKey, requestId }));
    },
    entryOf: async ({ users }) => (users.length === 0 ? null : firstEntry(client, before ?? 'start', requestId)),
  });
  return { ...kept, summary: summarise(result), result };
}

function resultOf({ result }: { result?: Result }): Result {
  if (result) return result;
  throw new Error('The service answered without a result.');
}

/** The first entry of a request. The journal tells it before the answer, so it is there. */
async function firstEntry(client: UserAdministrationClient, after: string, requestId: string): Promise<string> {
  for (let cursor = after; ;) {
    const { entries, next, more } = await client.journal.after({ after: cursor, brief: true, limit: ENTRIES });
    const first = entries.find((entry) => entry.requestId === requestId);
    if (first) return first.id;
    if (!more) throw new Error('The change was made, but the journal has no entry of it.');
    cursor = next;
  }
}
