import { readSnapshotBlob } from '@user-administration/pglite-server';
import type { SigningKey } from '@user-administration/access-tokens/keys';
import type { Environment } from '../../../src/config/environment';
import type { DirectoryRecord } from '../../../src/contract/directory';
import type { OpenedDatabase } from '@user-administration/postgres';
import { preparedFile } from '../../../src/database/prepared-database';
import { PLUGINS } from '../../../src/installed-plugins';
import { DEMO_DIRECTORY } from '../../../src/plugins/transfer/demo-directory';
import { exportDirectory } from '../../../src/plugins/transfer/export-directory';
import { importDirectory } from '../../../src/plugins/transfer/import-directory';
import { openToRead } from '../../../src/terminal/open-to-read';
import { type EmptyLines, type Line, readLines } from '../../../src/plugins/transfer/read-lines';
import { Expiry } from '../../../src/expiry/expiry';
import { JournalReader } from '../../../src/journal/journal-reader';
import { sealJournal } from '../../../src/journal/seal-journal';
import { Sealer } from '../../../src/journal/sealer';
import { RequestsUnderWay } from '@user-administration/http';
import { UserTypeService } from '../../../src/users/user-type/user-type.service';
import { EndsClock } from './ends-clock';
import type { EventPage, FirstEvent } from './event-page';
import type { Issuer } from './issuer';
import type { PlannedFailure } from './planned-failure';
import { SavedDirectory } from './saved-directory';
import { ServiceEvents } from './service-events';
import { ServiceError } from '../../../src/contract/errors';
import { declaredEvents } from '../../../src/contract/plugin-actions';
import { CreateWebhookService } from '../../../src/plugins/webhooks/create-webhook.service';
import { type RunningService, startService } from './start-service';
import { createOnServer, openInMemory } from './temporary-database';

/** The first records: lines of NDJSON, or the path of an NDJSON file; by default the demo directory. */
type DirectorySource = readonly string[] | string | undefined;

export interface EmulatorOptions {
  directory?: DirectorySource;
  /** A PostgreSQL server on which to create a database. Without it, the database is embedded in this process, in memory. */
  databaseUrl?: string;
  /** Variables of the service that differ from those of a test. */
  env?: Environment;
  /** Signs the tokens of a test by RS256. Without it, the secret of the service signs them by HS256. */
  privateKey?: SigningKey;
}

/** The receiver of webhooks in an app under test. */
export interface WebhookReceiver {
  url: string;
  secret: string;
}

/** The actor of the journal entries of the first records. */
const ACT = { actor: { kind: 'system', id: 'test directory' } } as const;

/** The service in this process, with the controls of a test. */
export class Emulator {
  /** Where webhooks go, also after a reset. */
  private receivers: WebhookReceiver[] = [];
  private turn: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly service: RunningService,
    private readonly database: OpenedDatabase,
    private readonly happened: ServiceEvents,
    private readonly saved: SavedDirectory,
    private readonly clock: EndsClock,
    readonly issuer: Issuer,
  ) {}

  /** @throws ImportError that names the bad lines */
  static async start({ directory, databaseUrl, env, privateKey }: EmulatorOptions): Promise<Emulator> {
    const database =
      databaseUrl === undefined
        ? await openInMemory(await readSnapshotBlob(preparedFile(PLUGINS)))
        : await createOnServer(databaseUrl);
    try {
      // A receiver under test listens on this machine.
      const environment = { WEBHOOK_ALLOW_PRIVATE: 'true', ...env };
      const service = await startService({ database, environment });
      const events = new ServiceEvents(
        service.app.get(JournalReader),
        service.app.get(Sealer),
        service.app.get(RequestsUnderWay),
      );
      const emulator = new Emulator(
        service,
        database,
        events,
        new SavedDirectory(service.dataSource),
        new EndsClock(service.dataSource),
        { accessTokens: service.config.accessTokens, privateKey },
      );
      try {
        await emulator.load(directory);
        await events.restart();
        return emulator;
      } catch (error) {
        await service.close();
        throw error;
      }
    } catch (error) {
      await database.close();
      throw error;
    }
  }

  get url(): string {
    return this.service.url;
  }

  get databaseUrl(): string {
    return this.database.url;
  }

  /** The issuer that tokens name. */
  get tokenIssuer(): string | undefined {
    return this.issuer.accessTokens.issuers[0];
  }

  /** Restores the last directory that was loaded, or loads another one. The journal continues, because nothing is ever removed from it. */
  reset(directory: DirectorySource): Promise<void> {
    return this.inTurn(() => this.resetNow(directory));
  }

  private async resetNow(directory: DirectorySource): Promise<void> {
    this.service.failNext({ status: 503, times: 0 });
    await this.clock.set(0);
    try {
      if (directory === undefined) await this.saved.restore();
      else await this.replace(directory);
      await this.happened.restart();
    } finally {
      for (const receiver of this.receivers) await this.register(receiver);
    }
  }

  /** @throws RangeError for a URL that no webhook can have */
  async deliverTo(receiver: WebhookReceiver): Promise<void> {
    await this.register(receiver);
    this.receivers.push(receiver);
  }

  failNext(failure: PlannedFailure): void {
    this.service.failNext(failure);
  }

  /** Moves the clock by which ends are judged, and carries out what has ended by then. Returns the time that it then shows. */
  advanceClock(seconds: number): Promise<string> {
    return this.inTurn(async () => {
      await this.clock.advance(seconds);
      await this.service.app.get(Expiry).carryOut();
      this.happened.wake();
      return this.clock.now();
    });
  }

  /** The directory as it is now, in the form of an import. */
  async records(): Promise<DirectoryRecord[]> {
    const records: DirectoryRecord[] = [];
    for await (const line of exportDirectory(this.service.dataSource))
      records.push(JSON.parse(line) as DirectoryRecord);
    return records;
  }

  events(after: string | undefined, wait: boolean): Promise<EventPage> {
    return this.happened.after(after, wait);
  }

  /** @throws RangeError for a type that no event has, and for a cursor that no answer had */
  async eventsWithin(withinMs: number, after?: string, type?: string, gone?: AbortSignal): Promise<EventPage> {
    if (type !== undefined) requireType(type);
    return this.happened.within(withinMs, after, type, gone);
  }

  /** @throws RangeError for a type that no event has */
  async firstEvent(type: string): Promise<FirstEvent> {
    requireType(type);
    return this.happened.first(type);
  }

  async close(): Promise<void> {
    this.happened.close();
    await this.service.close();
    await this.database.close();
  }

  /** One after the other: two at once would restore the same rows. */
  private inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.turn.then(work);
    this.turn = done.catch(() => undefined);
    return done;
  }

  private async register(receiver: WebhookReceiver): Promise<void> {
    const body = { ...receiver, events: declaredEvents() };
    try {
      await this.service.app.get(CreateWebhookService).execute(body, ACT);
    } catch (error) {
      const isRefused = error instanceof ServiceError && error.cause instanceof Error;
      throw isRefused ? new RangeError(`deliverTo: ${(error.cause as Error).message}.`) : error;
    }
  }

  /** If the other directory is refused, the last one is restored. */
  private async replace(directory: DirectorySource): Promise<void> {
    await this.saved.clear();
    try {
      await this.load(directory);
    } catch (error) {
      await this.saved.restore();
      throw error;
    }
  }

  private async load(directory: DirectorySource = DEMO_DIRECTORY): Promise<void> {
    const { dataSource, app } = this.service;
    const lines = typeof directory === 'string' ? linesOf(directory) : directory;
    const before = await this.saved.newestEntry();
    await importDirectory(dataSource, lines, ACT, { userTypes: app.get(UserTypeService) });
    await sealJournal(dataSource);
    await this.saved.save(before);
  }
}

function requireType(type: string): void {
  const types = declaredEvents();
  if (types.includes(type)) return;
  throw new RangeError(`There is no event ${type.slice(0, 100)}. There are ${types.join(', ')}.`);
}

async function* linesOf(path: string): AsyncGenerator<Line | EmptyLines> {
  const file = await openToRead(path);
  try {
    yield* readLines(file.createReadStream());
  } finally {
    await file.close();
  }
}
