import 'reflect-metadata';
import { writeFileSync } from 'node:fs';
import { createApp } from '../app';
import { loadConfig } from '../load-config';
import { openApiDocument } from '../openapi/openapi-document';

const FILE = 'openapi.json';

/** Writes `openapi.json`, unformatted. The app never listens and needs no database. */
async function main(): Promise<void> {
  const app = await createApp(
    loadConfig({
      DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nowhere',
      JWT_SECRET: 'a secret that signs nothing, for no one',
      LOG_LEVEL: 'silent',
    }),
  );
  writeFileSync(FILE, JSON.stringify(openApiDocument(app)));
  await app.close();
}

void main();
