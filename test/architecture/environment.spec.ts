import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { loadConfig } from '../../src/load-config';
import { GIVEN_AS_FILES, namesOf } from '../../src/config/variables';
import { PLUGINS } from '../../src/installed-plugins';
import { variablesRead } from './environment.rules';
import { parseAll, PROJECT, readSources } from './source-tree';

const sources = readSources();
/** The package `pgpass` reads `PGPASSFILE`. */
const variables = [
  ...new Set(['PGPASSFILE', ...variablesRead(sources), ...GIVEN_AS_FILES.map((name) => `${name}_FILE`)]),
].sort();
const example = readFileSync(join(PROJECT, '.env.example'), 'utf8');

describe('the environment', () => {
  it('includes the variables of the contract', () => {
    const contract = `PORT HOST DATABASE_URL DATA_DIR JWT_SECRET JWT_PUBLIC_KEY JWT_JWKS_URI JWT_ISSUER JWT_AUDIENCE
      JWT_ADMIN_SCOPE JWT_READ_SCOPE READ_PERMISSION JWT_SCOPE_CLAIM JWT_USER_CLAIM JWT_SERVICE_SUBJECTS STATUS_TOKEN_SECRET JWT_SECRET_PREVIOUS
      STATUS_TOKEN_SECRET_PREVIOUS OIDC_ISSUER OIDC_CLIENT_ID OIDC_SCOPE OIDC_AUDIENCE ADMIN_PAGE NODE_ENV LOG_LEVEL`;
    expect(variables).toEqual(expect.arrayContaining(contract.split(/\s+/)));
  });

  it('is listed completely in .env.example, which has nothing else', () => {
    expect(Object.keys(parseEnv(example)).sort()).toEqual(variables);
  });

  it('is known to the check for misspelt names, but for the names of libpq', () => {
    const known = namesOf(PLUGINS);
    expect(variables.filter((name) => !known.includes(name))).toEqual(['PGPASSFILE', 'PGPASSWORD', 'PGSSLMODE']);
    expect(known.filter((name) => !variables.includes(name))).toEqual([]);
  });

  it('has every variable explained in .env.example', () => {
    const unexplained = variables.filter(
      (name) => !new RegExp(`^# .+\\n(#.*\\n|[A-Z_]+=.*\\n)*${name}=`, 'm').test(example),
    );
    expect(unexplained).toEqual([]);
  });

  it('keeps its defaults when .env.example is copied to .env', () => {
    const folder = mkdtempSync(join(tmpdir(), 'env-example-'));
    try {
      const copied = parseEnv(example);
      expect(copied.DATA_DIR).toBe('.data');
      expect(loadConfig({ ...copied, DATA_DIR: folder })).toEqual(loadConfig({ DATA_DIR: folder }));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('has the defaults in .env.example that its comments tell', () => {
    const entries = [...example.matchAll(/((?:^#.*\n)+)((?:^[A-Z_]+=.*\n)+)/gm)];
    const differing = entries.filter(([, comment = '', assignments = '']) => {
      const told = /Defaults?:\s([^]*)/.exec(comment.replace(/\n# /g, ' '))?.[1] ?? '';
      const values = Object.values(parseEnv(assignments)).filter(Boolean);
      return !values.every((value) => told.split(/[\s,;]+|\.\s/).includes(String(value)));
    });
    expect(differing.map(([entry]) => entry)).toEqual([]);
  });

  it('is explained in docs/configuration.md as in .env.example (after a change, run: npm run configuration)', async () => {
    const { configurationPage } = (await import(join(PROJECT, 'scripts/configuration-page.mjs'))) as {
      configurationPage(): string;
    };
    const page = readFileSync(join(PROJECT, 'docs/configuration.md'), 'utf8');
    expect(page).toBe(configurationPage());
    expect(variables.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });
});

describe('the rules of the environment', () => {
  it('find the variables that code reads', () => {
    const made = parseAll({
      'config/load-config.ts': `env.text('PORT'); env.integer('SIZE', 1, 2); readSecret(env, 'KEY'); env.text('PORT'); other('NOT', env); x.text('NOR');`,
    });
    expect(variablesRead(made)).toEqual(['KEY', 'PORT', 'SIZE']);
  });
});
