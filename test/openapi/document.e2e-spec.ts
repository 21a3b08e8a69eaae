import { readFileSync } from 'node:fs';
import { ModulesContainer } from '@nestjs/core';
import { getMetadataStorage } from 'class-validator';
import { version } from '../../package.json';
import { createApp } from '../../src/app';
import { loadConfig } from '../../src/load-config';
import type { AnyErrorCode } from '../../src/contract/errors';
import { ALL_ERRORS } from '../support/all-errors';
import { openApiDocument } from '../../src/openapi/openapi-document';
import { useTestService } from '../support/test-service';
import { LANGUAGES } from '../../src/i18n/languages';
import { type DeclaredOperation, OPENAPI_FILE, openApiFile } from '../support/declared-answers';

/** Answers that several operations have in common stand in `components`; repeated on each, they would make it twice as long. */
const MAX_BYTES_OF_OPERATION = 4_330;
/** Longer than the path of any field: schemas may contain themselves. */
const MAX_PATH = 200;

const service = useTestService();

function committed(): string {
  return readFileSync(OPENAPI_FILE, 'utf8');
}

describe('openapi.json', () => {
  it('equals the served document (after a change, run: npm run openapi)', async () => {
    const response = await fetch(`${service.url}/api/docs-json`);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await response.text()).toBe(JSON.stringify(JSON.parse(committed())));
  });

  it(`has fewer than ${MAX_BYTES_OF_OPERATION} bytes for each operation as it is served`, () => {
    const operations = Object.values(openApiFile.paths).flatMap((methods) => Object.values(methods)).length;
    const bytes = Buffer.byteLength(JSON.stringify(JSON.parse(committed())));
    expect(bytes).toBeLessThan(operations * MAX_BYTES_OF_OPERATION);
  });

  it('is the same without a database, and with other settings', async () => {
    const app = await createApp(
      loadConfig({
        NODE_ENV: 'production',
        HOST: '0.0.0.0',
        PORT: '8080',
        DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nowhere',
        JWT_SECRET: 'a secret that signs nothing, for no one',
        STATUS_TOKEN_SECRET: 'another that signs nothing, for no one',
        JWT_ISSUER: 'https://id.example.com',
        JWT_AUDIENCE: 'administration',
        JWT_ADMIN_SCOPE: 'root',
        LOG_LEVEL: 'silent',
      }),
    );
    try {
      expect(openApiDocument(app)).toEqual(openApiDocument(service.app));
    } finally {
      await app.close();
    }
  });

  it('is indented by two blanks, and names a licence and no contact', () => {
    expect(committed()).toMatch(/^\{\n {2}"openapi": /);
    expect(committed()).not.toContain('\t');
    const { license, contact } = openApiFile.info as { license?: object; contact?: object };
    expect([license, contact]).toEqual([
      { name: 'All rights reserved', identifier: 'LicenseRef-UNLICENSED' },
      undefined,
    ]);
  });

  it('names each code by which the shape of a body or a query is refused', () => {
    const missing: string[] = [];
    let judged = 0;
    for (const { controllers } of service.app.get(ModulesContainer).values())
      for (const { metatype } of controllers.values()) {
        const controller = (metatype as { prototype: object }).prototype;
        for (const method of Object.getOwnPropertyNames(controller)) {
          const operation = operations.find(({ operationId }) => operationId === method);
          const types = (Reflect.getMetadata('design:paramtypes', controller, method) ?? []) as unknown[];
          for (const code of operation ? types.flatMap(codesOf) : []) {
            judged += 1;
            const { description } = (operation as DeclaredOperation).responses[ALL_ERRORS[code]?.status ?? 0] ?? {};
            if (!description?.includes(`- \`${code}\`: `)) missing.push(`${method} ${code}`);
          }
        }
      }
    expect(missing).toEqual([]);
    expect(judged).toBeGreaterThan(20);
  });

  it('has the version of the package', () => {
    expect(openApiFile.info.version).toBe(version);
  });

  it('lists every language', () => {
    const parameter = openApiFile.components.parameters['accept-language'];
    const values = Object.values(parameter?.examples ?? {}).map(({ value }) => value);
    expect(values).toEqual(expect.arrayContaining([...LANGUAGES]));
  });

  it('describes every operation', () => {
    const operations = Object.values(openApiFile.paths).flatMap((path) => Object.values(path));
    const silent = operations.filter(({ summary, description, tags }) => !summary || !description || !tags?.length);
    expect(silent.map(({ operationId }) => operationId)).toEqual([]);
  });

  it('requires a token on every route except health checks', () => {
    const open = Object.entries(openApiFile.paths).flatMap(([path, operations]) =>
      Object.values(operations).some(({ security }) => security.length === 0) ? [path] : [],
    );
    expect(open).toEqual(['/health/live', '/health/ready']);
  });
});

const operations = Object.values(openApiFile.paths).flatMap((path) => Object.values(path));

/** The codes of the rules of a DTO. */
function codesOf(type: unknown): AnyErrorCode[] {
  if (typeof type !== 'function') return [];
  const rules = getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
  return rules.flatMap(({ context }) => (context as { code?: AnyErrorCode } | undefined)?.code ?? []);
}

interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  example?: unknown;
  enum?: unknown[];
  default?: unknown;
  properties?: Record<string, Schema>;
  items?: Schema;
}
interface Media {
  schema: Schema;
  example?: unknown;
  examples?: object;
}
interface Described {
  $ref?: string;
  content?: Record<string, Media>;
}

describe('the examples of Swagger UI', () => {
  const resolve = <T extends { $ref?: string }>(value: T): T =>
    (value.$ref?.split('/').slice(1) ?? []).reduce<unknown>(
      (node, key) => (node as Record<string, unknown>)[key],
      value.$ref === undefined ? value : openApiFile,
    ) as T;

  /** The texts that Swagger UI can only make up: it shows "string". */
  function madeUp(schema: Schema, path: string): string[] {
    const { type, format, properties = {}, items, ...notes } = resolve(schema);
    if ('example' in notes || 'enum' in notes || 'default' in notes || path.length > MAX_PATH) return [];
    const inside = Object.entries(properties).flatMap(([name, one]) => madeUp(one, `${path}.${name}`));
    if (items) inside.push(...madeUp(items, `${path}[]`));
    return [type].flat().includes('string') && format === undefined ? [...inside, path] : inside;
  }

  it('say what they are', () => {
    const operations = Object.values(openApiFile.paths).flatMap((methods) => Object.values(methods)) as {
      operationId?: string;
      requestBody?: Described;
      responses?: Record<string, Described>;
    }[];
    const texts = operations.flatMap(({ operationId, requestBody, responses = {} }) =>
      [requestBody ?? {}, ...Object.values(responses)]
        .flatMap((described) => Object.values(resolve(described).content ?? {}))
        .filter((media) => !('example' in media) && !('examples' in media))
        .flatMap(({ schema }) => madeUp(schema, operationId ?? '')),
    );
    expect(operations.length).toBeGreaterThan(35);
    expect([...new Set(texts)]).toEqual([]);
  });
});
