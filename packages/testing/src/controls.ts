import type { DirectoryRecord } from '../../../src/contract/directory';
import type { Emulator } from './emulator';
import { newToken, type NewToken } from './issuer';
import { refuseUnknownNames } from './known-names';
import type { PlannedFailure } from './planned-failure';

/** What a control is asked for. */
export interface Asked {
  /** The fields of the body. */
  body: Record<string, unknown>;
  query: URLSearchParams;
  /** Aborted when nobody waits for the answer any more. */
  gone: AbortSignal;
}

interface Control {
  method: 'GET' | 'POST';
  /** The names in the query. */
  query?: Readonly<Record<string, true>>;
  /** The body of the answer; none is 204. */
  answer(emulator: Emulator, asked: Asked): unknown;
}

const LONGEST_WAIT_SECONDS = 25;

/** The controls of a test over HTTP. Each is the method of the kit with the same name. */
export const CONTROLS: Readonly<Record<string, Control>> = {
  '/reset': {
    method: 'POST',
    async answer(emulator, { body }) {
      refuseUnknownNames<{ directory?: unknown }>('reset has', body, { directory: true }, 'field');
      const { directory } = body;
      if (directory !== undefined && !Array.isArray(directory))
        throw new RangeError('reset: `directory` must be a list of records, such as [{"user":{"id":"eva"}}].');
      await emulator.reset((directory as DirectoryRecord[] | undefined)?.map((record) => JSON.stringify(record)));
    },
  },
  '/tokens': {
    method: 'POST',
    answer: (emulator, { body }) => ({ token: newToken(emulator.issuer, body as unknown as NewToken, Date.now()) }),
  },
  '/clock': {
    method: 'POST',
    async answer(emulator, { body }) {
      refuseUnknownNames<{ advance?: unknown }>('clock has', body, { advance: true }, 'field');
      return { now: await emulator.advanceClock(body.advance as number) };
    },
  },
  '/fail-next': {
    method: 'POST',
    answer: (emulator, { body }) => emulator.failNext(body as unknown as PlannedFailure),
  },
  '/events': {
    method: 'GET',
    query: { after: true, wait: true, type: true },
    async answer(emulator, { query, gone }) {
      const after = numberIn(query, 'after', Number.MAX_SAFE_INTEGER);
      const wait = numberIn(query, 'wait', LONGEST_WAIT_SECONDS);
      const type = query.get('type') ?? undefined;
      const { events, next } = await emulator.eventsWithin(wait * 1_000, String(after), type, gone);
      return { events, next: Number(next) };
    },
  },
  '/ready': { method: 'GET', answer: () => undefined },
};

function numberIn(query: URLSearchParams, name: string, most: number): number {
  const text = query.get(name) ?? '0';
  if (/^\d+$/.test(text) && Number(text) <= most) return Number(text);
  throw new RangeError(`events: \`${name}\` must be a whole number from 0 to ${most}.`);
}
