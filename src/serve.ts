import 'reflect-metadata';
import { setTimeout as delay } from 'node:timers/promises';
import { type INestApplication, Logger } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { createApp } from './app';
import type { Config } from './config/config';
import { DATABASE, type OpenedDatabase } from '@user-administration/postgres';
import { DatabaseStartup } from './database/database-startup';
import { addressesOf, greeting } from './greeting';
import { APP_PARTS, type AppPart } from './plugins/plugin';
import { addressOf, listen } from './server/listen';
import { RequestsUnderWay, stopOnSignals } from '@user-administration/http';
import { standardOutput } from '@user-administration/http/log';

/** Runs the service in this process until it is stopped. */
export async function serve(config: Config): Promise<void> {
  const { drainMs } = config.httpBounds;
  const creating = createApp(config);
  const stop = stopOnSignals(async () => end(await creating, drainMs), drainMs);
  try {
    await start(await creating, config, stop);
  } catch (error) {
    // A stop closes the database, so a start in progress fails.
    if (!stop.begun) throw error;
  }
}

async function start(app: NestExpressApplication, config: Config, stop: { begun: boolean }): Promise<void> {
  const database = app.get(DatabaseStartup);
  const parts = app.get<readonly AppPart[]>(APP_PARTS);
  const { embedded } = app.get<OpenedDatabase>(DATABASE);
  let administrators: readonly string[] | undefined;
  if (embedded) {
    await database.ready();
    const demos = parts.flatMap(({ demo }) => demo ?? []);
    for (const part of parts) administrators ??= await part.firstRun?.(app, demos);
  }
  // An open port receives requests at once from a proxy without health checks.
  await Promise.race([database.attempted(), delay(READY_WITHIN_MS)]);
  if (stop.begun) return;
  await listen(app, config);
  if (database.notReadyReason) {
    new Logger('Service').warn(
      `The service listens on ${addressOf(app)}, and answers 503 until the database at ${database.serverNames} is ` +
        'ready.',
    );
  }
  await database.ready();
  if (stop.begun) return;
  const addresses = Object.fromEntries(addressesOf(app, config).map(({ name, address }) => [name, address]));
  if (config.production) new Logger('Service').log(addresses, 'the service is ready');
  else standardOutput.write(await greeting(app, config, administrators));
}

/** Waits for callers and for plugins concurrently, because either can take nearly all of the available time. */
async function end(app: INestApplication, drainMs: number): Promise<void> {
  const requests = app.get(RequestsUnderWay).drain();
  const parts = app.get<readonly AppPart[]>(APP_PARTS);
  const plugins = delay(drainMs).then(() => Promise.all(parts.flatMap((part) => part.stop?.(app) ?? [])));
  await Promise.all([requests, plugins]);
  await app.close();
}

/** If the database is not available by then, the process listens anyway, and reports that it waits. */
const READY_WITHIN_MS = 2_000;
