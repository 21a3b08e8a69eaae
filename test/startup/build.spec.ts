import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const [BUILT, SOURCES] = ['dist', 'src'].map((folder) => join(__dirname, '../..', folder)) as [string, string];

/** The service creates every SQL function that it finds, so one that the sources have given up must not stay. */
it('the build contains only the output of sources that exist', () => {
  const files = readdirSync(BUILT, { recursive: true, encoding: 'utf8' }).filter((path) =>
    /\.(js|json|sql)$/.test(path),
  );
  expect(files.length).toBeGreaterThan(100);
  const hasSource = (path: string) => [path, path.replace(/\.js$/, '.ts')].some((it) => existsSync(join(SOURCES, it)));
  expect(files.filter((path) => !hasSource(path))).toEqual([]);
});
