import { readSnapshotBlob } from '@user-administration/pglite-server';
import type { AccessTokenConfig } from '../../../src/config/token.config';
import type { Environment } from '../../../src/config/environment';
import type { OpenedDatabase } from '@user-administration/postgres';
import { preparedFile } from '../../../src/database/prepared-database';
import { DEMO_DIRECTORY } from '../../../src/directory-transfer/demo-directory';
import { importDirectory } from '../../../src/directory-transfer/import-directory';
import { openToRead } from '../../../src/directory-transfer/open-to-read';
import { type EmptyLines, type Line, readLines } from '../../../src/directory-transfer/read-lines';
import { Expiry } from '../../../src/expiry/expiry';
import { JournalReader } from '../../../src/journal/journal-reader';
import { sealJournal } from '../../../src/journal/seal-journal';
import { Sealer } from '../../../src/journal/sealer';
import { RequestsUnderWay } from '../../../src/server/requests-under-way';
import { UserTypeService } from '../../../src/users/user-type/user-type.service';
import { EndsClock } from './ends-clock';
import type { EventPage, FirstEvent } from './event-page';
import type { PlannedFailure } from './planned-failure';
import { SavedDirectory } from './saved-directory';
import { ServiceEvents } from './service-events';
import { ServiceError } from '../../../src/contract/errors';
import { WEBHOOK_EVENT_TYPES } from '../../../src/contract/webhooks';
import { CreateWebhookService } from '../../../src/webhooks/create-webhook.service';
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

  private constructor(
    private readonly service: RunningService,
    private readonly database: OpenedDatabase,
    private readonly happened: ServiceEvents,
    private readonly saved: SavedDirectory,
    private readonly clock: EndsClock,
  ) {}

  /** @throws ImportError that names the bad lines */
  static async start({ directory, databaseUrl, env }: EmulatorOptions): Promise<Emulator> {
    const database =
      databaseUrl === undefined
        ? await openInMemory(await readSnapshotBlob(preparedFile()))
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

  get accessTokens(): AccessTokenConfig {
    return this.service.config.accessTokens;
  }

  /** Restores the last directory that was loaded, or loads another one. The journal continues, because nothing is ever removed from it. */
  async reset(directory: DirectorySource): Promise<void> {
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

  /** Moves the clock by which ends are judged, and carries out what has ended by then. */
  async advanceClock(seconds: number): Promise<void> {
    await this.clock.advance(seconds);
    await this.service.app.get(Expiry).carryOut();
  }

  events(after: string | undefined, wait: boolean): Promise<EventPage> {
    return this.happened.after(after, wait);
  }

  firstEvent(type: string): Promise<FirstEvent> {
    return this.happened.first(type);
  }

  async close(): Promise<void> {
    this.happened.close();
    await this.service.close();
    await this.database.close();
  }

  private async register(receiver: WebhookReceiver): Promise<void> {
    const body = { ...receiver, events: [...WEBHOOK_EVENT_TYPES] };
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

async function* linesOf(path: string): AsyncGenerator<Line | EmptyLines> {
  const file = await openToRead(path);
  try {
    yield* readLines(file.createReadStream());
  } finally {
    await file.close();
  }
}
