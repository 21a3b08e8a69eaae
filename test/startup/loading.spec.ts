import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const LIST = `require('./dist/app.js'); process.stdout.write(JSON.stringify(Object.keys(require.cache)))`;

it('a start does not load what only the OpenAPI document and its page need', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', LIST], { cwd: join(__dirname, '../..') });
  const loaded = JSON.parse(stdout) as string[];
  expect(loaded.filter((path) => /@nestjs.core/.test(path))).not.toEqual([]);
  expect(loaded.filter((path) => /swagger|openapi-document|docs-page/.test(path))).toEqual([]);
});
