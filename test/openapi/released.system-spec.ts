import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OPENAPI_FILE } from '../support/declared-answers';

interface Schema {
  required: string[];
  properties: Record<string, { type: string; enum: string[]; maxLength: number }>;
}

interface Document {
  paths: Record<string, Record<string, { parameters: object[]; responses: Record<string, object> }>>;
  components: { schemas: Record<string, Schema> };
}

interface Report {
  changes: { impact: string; verdicts: { message: string }[] }[];
}

/** Changes that break callers, each as it is reported. */
const BREAKS: [report: string, change: (paths: Document['paths'], schemas: Record<string, Schema>) => unknown][] = [
  ['Path `/api/journal` was removed.', (paths) => delete paths['/api/journal']],
  ['Operation `DELETE /api/workspaces/{id}` was removed.', (paths) => delete paths['/api/workspaces/{id}']!.delete],
  ['Response `403` was removed.', (paths) => delete paths['/api/users']!.get!.responses['403']],
  ['`id` query parameter was removed.', (paths) => paths['/api/groups']!.get!.parameters.shift()],
  [
    'Required `kind` query parameter was added.',
    (paths) =>
      paths['/api/permissions']!.get!.parameters.push({ in: 'query', name: 'kind', required: true, schema: {} }),
  ],
  [
    'Properties of `AssignWorkspacesDto` became required: `reason`.',
    (_, schemas) => schemas.AssignWorkspacesDto!.required.push('reason'),
  ],
  [
    "`maxLength` of `reason` changed from '500' to '10'.",
    (_, schemas) => (schemas.AssignStatusesDto!.properties.reason!.maxLength = 10),
  ],
  [
    "Enum of `status` lost values: 'inactive'.",
    (_, schemas) => schemas.AssignStatusesDto!.properties.status!.enum.pop(),
  ],
  ['Property `email` of `UserDto` was removed.', (_, schemas) => delete schemas.UserDto!.properties.email],
  [
    'Properties of `WorkspaceDto` are no longer required: `name`.',
    (_, { WorkspaceDto }) => (WorkspaceDto!.required = WorkspaceDto!.required.filter((field) => field !== 'name')),
  ],
  [
    "Type of `name` widened from 'string' to 'integer'.",
    (_, schemas) => (schemas.GroupDto!.properties.name!.type = 'integer'),
  ],
];

/** What callers do not notice: a route, a field, a value. */
function extend({ paths, components: { schemas } }: Document): void {
  paths['/api/me']!.put = { parameters: [], responses: { 200: { description: 'More' } } };
  schemas.AssignWorkspacesDto!.properties.more = { type: 'string', enum: ['more'], maxLength: 4 };
  schemas.UserDto!.properties.type!.enum.push('owner');
}

describe('npm run openapi:diff', () => {
  let folder: string;
  beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'released-'))));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('refuses everything that breaks callers of a released document, and nothing else', () => {
    const document = JSON.parse(readFileSync(OPENAPI_FILE, 'utf8')) as Document;
    for (const [, change] of BREAKS) change(document.paths, document.components.schemas);
    extend(document);
    const next = join(folder, 'next.json');
    writeFileSync(next, JSON.stringify(document));
    const args = ['scripts/openapi-diff.mjs', OPENAPI_FILE, next, '--format=json'];
    const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    const { changes } = JSON.parse(stdout) as Report;
    const major = changes.filter(({ impact }) => impact === 'major');
    expect(major.flatMap(({ verdicts }) => verdicts.map(({ message }) => message)).sort()).toEqual(
      BREAKS.map(([report]) => report).sort(),
    );
    expect(status).toBe(1);
  });
});
