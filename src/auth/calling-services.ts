import { Injectable, Logger } from '@nestjs/common';
import { isIdentifier } from '../contract/identifiers';
import { prepared, Statements } from '@user-administration/postgres';

/** The number of subjects that a process remembers. Beyond it, subjects are written once more. */
const REMEMBERED = 10_000;

const WRITE = prepared(
  'calling_service',
  'INSERT INTO calling_services (subject) VALUES ($1) ON CONFLICT DO NOTHING RETURNING subject',
);

/**
 * Which subjects have called as services. A user with the id of a service would take its place, so whoever takes ids
 * from elsewhere asks {@link hasCalled} first.
 */
@Injectable()
export class CallingServices {
  private readonly logger = new Logger(CallingServices.name);
  /** The subjects that this process has written, or is writing. */
  private readonly written = new Set<string>();

  constructor(private readonly statements: Statements) {}

  /**
   * Writes a subject, once for each process. It does so beside the request: no request waits for it, or fails with it.
   * If it fails, the next request of the service tries again.
   */
  add(subject: string): void {
    // Other texts can be nobody's id.
    if (this.written.has(subject) || !isIdentifier(subject)) return;
    if (this.written.size === REMEMBERED) this.written.clear();
    this.written.add(subject);
    this.statements.query(WRITE, [subject]).catch((error: unknown) => {
      this.written.delete(subject);
      this.logger.warn(`A service that has called is not written down yet: ${String(error)}`);
    });
  }
}

/** Whether a service with this subject has called, as SQL. */
export const hasCalled = (subject: string): string =>
  `EXISTS (SELECT FROM calling_services WHERE subject = ${subject})`;
