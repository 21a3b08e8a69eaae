import { type Act, message, problem, reply, reset, type ScriptedRequest } from './scripted-server.ts';

/** The faults of one attempt, in the order of an exchange. */
export const FAULTS = [
  'refuse the connection',
  'reset before the change',
  'reset after the change',
  'break off in the headers',
  'break off in the body',
  'end in the body of no length',
  'hang before the change',
  'hang after the change',
  'hang in the body',
  'change late',
  '429',
  '503 of the service',
  '503 with an unknown outcome, changed',
  '503 with an unknown outcome, unchanged',
  '503 of a proxy, changed',
  '502 of a proxy, unchanged',
  '504 of a proxy, changed',
  'an HTML page, changed',
  'an HTML page, unchanged',
] as const;
export type Fault = (typeof FAULTS)[number];

const PAGE = '<html><title>Gateway</title></html>';
const SUCCESS = { status: 200, id: 'x', message: 'Done.' };
const now = { 'retry-after': '0' };

interface Change {
  /** How often the change was made. */
  count: number;
  /** When the request that makes the change ends. */
  under?: boolean;
}

/**
 * A service that makes one change for each subject, with the given fault in each attempt. Like the real one it executes a
 * POST once per key, refuses a PATCH whose `If-Match` does not match, and answers 404 for a deleted record.
 */
export class FaultyService {
  private readonly changes = new Map<string, Change>();

  /** @param faults the faults of the attempts of a subject, in order; later attempts have none */
  constructor(private readonly faults: Map<string, Fault[]>) {}

  countOf(subject: string): number {
    return this.changes.get(subject)?.count ?? 0;
  }

  /** The fault of the next attempt. */
  take(subject: string): Fault | undefined {
    return this.faults.get(subject)?.shift();
  }

  readonly act: Act = (request, socket) => {
    const subject = request.headers['x-subject'] ?? '';
    const fault = request.headers['x-fault'] as Fault | undefined;
    const change = this.changes.get(subject) ?? { count: 0 };
    this.changes.set(subject, change);
    const changed = (): string => this.change(request, change);
    const whole: Act = (_, to) => to.write(changed());
    switch (fault) {
      case 'reset before the change':
        return reset(request, socket);
      case 'reset after the change':
        changed();
        return reset(request, socket);
      case 'break off in the headers':
        return void socket.write(changed().slice(0, 30), () => socket.resetAndDestroy());
      case 'break off in the body':
        return void socket.write(changed().slice(0, -5), () => socket.resetAndDestroy());
      case 'end in the body of no length':
        return void socket.end(
          changed()
            .replace(/content-length.*\r\n/, '')
            .slice(0, -5),
        );
      case 'hang before the change':
        return undefined;
      case 'hang after the change':
        return void changed();
      case 'hang in the body':
        return void socket.write(changed().slice(0, -5));
      case 'change late':
        change.under = true;
        setTimeout(() => {
          change.under = false;
          changed();
        }, 250);
        return undefined;
      case '429':
        return problem(429, 'request.too_frequent', now)(request, socket);
      case '503 of the service':
        return problem(503, 'service.unavailable', now)(request, socket);
      case '503 with an unknown outcome, changed':
        changed();
        return problem(503, 'service.outcome_unknown')(request, socket);
      case '503 with an unknown outcome, unchanged':
        return problem(503, 'service.outcome_unknown')(request, socket);
      case '503 of a proxy, changed':
        changed();
        return reply(503, PAGE, now)(request, socket);
      case '502 of a proxy, unchanged':
        return reply(502, PAGE)(request, socket);
      case '504 of a proxy, changed':
        changed();
        return reply(504, PAGE)(request, socket);
      case 'an HTML page, changed':
        changed();
        return reply(200, PAGE)(request, socket);
      case 'an HTML page, unchanged':
        return reply(200, PAGE)(request, socket);
      case 'refuse the connection':
      case undefined:
        return whole(request, socket);
    }
  };

  /** Makes the change unless it was made before, and returns the answer. */
  private change({ method, headers }: ScriptedRequest, change: Change): string {
    if (change.under && method === 'POST') return refusal(409, 'idempotency.in_progress');
    if (change.count > 0 && method === 'POST' && headers['idempotency-key']) return message(200, SUCCESS);
    if (change.count > 0 && headers['if-match']) return refusal(412, 'record.changed');
    if (change.count > 0 && method === 'DELETE') return refusal(404, 'user.unknown');
    change.count += 1;
    return message(200, SUCCESS);
  }
}

function refusal(status: number, code: string): string {
  return message(status, { status, detail: 'Refused.', code }, { 'content-type': 'application/problem+json' });
}
