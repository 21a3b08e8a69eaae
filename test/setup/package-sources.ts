import Module from 'node:module';
import { join } from 'node:path';

/** The service and the packages that it is made of. Tests use their sources, so that nothing has to be built. */
const SOURCES: Readonly<Record<string, string>> = {
  '@user-administration/access-tokens': join(__dirname, '../../packages/access-tokens/src/index.ts'),
  '@user-administration/access-tokens/keys': join(__dirname, '../../packages/access-tokens/src/keys.ts'),
  '@user-administration/http': join(__dirname, '../../packages/http/src/index.ts'),
  '@user-administration/http/log': join(__dirname, '../../packages/http/src/log.ts'),
  '@user-administration/pglite-server': join(__dirname, '../../packages/pglite-server/src/index.ts'),
  '@user-administration/postgres': join(__dirname, '../../packages/postgres/src/index.ts'),
  '@user-administration/postgres/settings': join(__dirname, '../../packages/postgres/src/settings.ts'),
  '@user-administration/service': join(__dirname, '../../src/app.ts'),
  '@user-administration/service/plugins': join(__dirname, '../../src/plugins/door.ts'),
  '@user-administration/scim-protocol': join(__dirname, '../../packages/scim-protocol/src/index.ts'),
};

const loader = Module as unknown as { _resolveFilename(request: string, ...others: unknown[]): string };
const resolveFilename = loader._resolveFilename.bind(loader);
loader._resolveFilename = (request, ...others) => SOURCES[request] ?? resolveFilename(request, ...others);
