import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getMetadataStorage } from 'class-validator';
import { RECORD_FIELDS, type RecordField, type RecordKind } from '../../src/contract/record-fields';
import { Group } from '../../src/directory/group.entity';
import { Permission } from '../../src/directory/permission.entity';
import { User } from '../../src/directory/user.entity';
import { Workspace } from '../../src/directory/workspace.entity';
import { ChangePermissionDto, CreatePermissionDto } from '../../src/permissions/permission.dto';
import { exportDirectory } from '../../src/plugins/transfer/export-directory';
import { ChangeUserDto } from '../../src/users/dto/change-user.dto';
import { CreateUserDto } from '../../src/users/dto/create-user.dto';
import { ChangeGroupDto, CreateGroupDto } from '../../src/workspaces/group.dto';
import { ChangeWorkspaceDto, CreateWorkspaceDto } from '../../src/workspaces/workspace.dto';
import { openApiFile } from '../support/declared-answers';
import { pageModule } from '../support/page-module';
import { call } from '../support/record-calls';
import { writeSmallDirectory } from '../support/small-directory';
import { useTestService } from '../support/test-service';

/** Beside the declared fields: who is who, where, when, and what the database and the ends of accounts keep. */
const KINDS = {
  user: {
    entity: User,
    dtos: [CreateUserDto, ChangeUserDto],
    columns: ['id_since', 'end_refused_at', 'name_order'],
    members: ['permissions', 'workspaces', 'groups'],
  },
  workspace: {
    entity: Workspace,
    dtos: [CreateWorkspaceDto, ChangeWorkspaceDto],
    columns: [],
    members: ['permissions'],
  },
  group: {
    entity: Group,
    dtos: [CreateGroupDto, ChangeGroupDto],
    columns: ['workspace_key'],
    members: ['workspace', 'permissions'],
  },
  permission: { entity: Permission, dtos: [CreatePermissionDto, ChangePermissionDto], columns: [], members: [] },
} as const;
const EVERYWHERE = ['key', 'id', 'created_at', 'updated_at', 'searchable'];

const { FIELDS: FORMS } = pageModule<{ FIELDS: Record<RecordKind, { name: string }[]> }>('records/fields.ts', {
  'permission-list.tsx': {},
});
const CLIENT = readFileSync(join(__dirname, '../../client/src/generated/types.gen.ts'), 'utf8');

const service = useTestService();
beforeAll(() => writeSmallDirectory(service));

const NEXT_YEAR = new Date(Date.now() + 365 * 86_400_000).toISOString();
const exampleOf = ({ told }: RecordField): string => told.example ?? NEXT_YEAR;
const sorted = (...names: (string | readonly string[])[]): string[] => names.flat().sort();

async function entryOf(action: string): Promise<{ before: object | null; after: object | null }> {
  const { body } = await call(service, 'GET', `/api/journal?action=${action}&limit=1`);
  return (body as { entries: [{ before: object | null; after: object | null }] }).entries[0];
}

describe.each(Object.keys(KINDS) as (keyof typeof KINDS)[])('the declared fields of a %s', (kind) => {
  const { entity, dtos, columns, members } = KINDS[kind];
  const fields = Object.entries<RecordField>(RECORD_FIELDS[kind]);
  const writable = fields.filter(([, { setBy }]) => setBy !== 'service');
  const changeable = writable.filter(([, { setBy }]) => setBy !== 'creation');
  const namesOf = (some: typeof fields) => some.map(([name]) => name);
  const kindName = kind[0]?.toUpperCase() + kind.slice(1);
  const values = Object.fromEntries(writable.map(([name, field]) => [name, exampleOf(field)]));
  const placed = kind === 'group' ? { workspace: 'atlas' } : {};

  it('are all columns of its table, and properties of its entity', async () => {
    const rows: { column: string; type: string; nullable: boolean }[] = await service.dataSource.query(
      `SELECT column_name AS column, udt_name AS type, is_nullable = 'YES' AS nullable FROM information_schema.columns
       WHERE table_name = $1`,
      [`${kind}s`],
    );
    expect(sorted(rows.map(({ column }) => column))).toEqual(
      sorted(
        EVERYWHERE,
        columns,
        fields.map(([, { column }]) => column),
      ),
    );
    for (const [name, { column, type, nullable = false }] of fields) {
      expect(rows.find((row) => row.column === column)).toEqual({ column, type, nullable });
      expect(service.dataSource.getMetadata(entity).findColumnWithPropertyName(name)).toMatchObject({
        databaseName: column,
        isNullable: nullable,
      });
    }
  });

  it('are what creations and changes can have, with the rules of a DTO, and what answers tell', () => {
    const { schemas } = openApiFile.components as { schemas: Record<string, { properties: Record<string, unknown> }> };
    const documented = (name: string) => sorted(Object.keys(schemas[name]?.properties ?? {}));
    const [creation, change] = dtos.map((dto) => {
      const rules = getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false);
      return new Set(rules.filter(({ name }) => name !== 'isReadOnly').map(({ propertyName }) => propertyName));
    });
    const changed = members.filter((name) => name === 'permissions');
    expect(sorted([...(creation ?? [])])).toEqual(sorted('id', members, namesOf(writable)));
    expect(sorted([...(change ?? [])])).toEqual(sorted(changed, namesOf(changeable)));
    expect(documented(`Create${kindName}Dto`)).toEqual(sorted('id', members, namesOf(writable)));
    expect(documented(`Change${kindName}Dto`)).toEqual(sorted(changed, namesOf(changeable)));
    const place = members.filter((name) => name === 'workspace');
    expect(documented(`${kindName}Dto`)).toEqual(sorted('id', 'createdAt', 'updatedAt', place, namesOf(fields)));
    for (const [name, { schema }] of writable) {
      const { enum: _values, type: _type, ...bounds } = schema;
      expect(schemas[`Create${kindName}Dto`]?.properties[name]).toMatchObject(bounds);
    }
  });

  it('are in the types of the client, whose events are compared with ours by its own suite', () => {
    const typeOf = (name: string) => new RegExp(`^export type ${name} = \\{([^]*?)^\\};`, 'm').exec(CLIENT)?.[1];
    for (const name of namesOf(fields)) expect(typeOf(`${kindName}Dto`)).toMatch(`  ${name}: `);
    for (const name of namesOf(writable)) expect(typeOf(`Create${kindName}Dto`)).toMatch(new RegExp(`  ${name}\\??: `));
    for (const name of namesOf(changeable)) expect(typeOf(`Change${kindName}Dto`)).toMatch(`  ${name}?: `);
  });

  it('are in the form of the page', () => {
    expect(FORMS[kind].map(({ name }) => name)).toEqual(expect.arrayContaining(namesOf(changeable)));
  });

  it('are told after a creation and a change, by the record, the list and the journal', async () => {
    const path = `/api/${kind}s`;
    const id = `made-${kind}`;
    expect((await call(service, 'POST', path, { body: { id, ...placed, ...values } })).status).toBe(201);
    expect((await call(service, 'GET', `${path}/${id}`)).body).toMatchObject(values);
    expect((await call(service, 'GET', `${path}?id=${id}`)).body).toMatchObject({ [`${kind}s`]: [values] });
    expect((await entryOf(`${kind}.created`)).after).toMatchObject(values);
    for (const [name, { nullable, schema }] of changeable) {
      const other = nullable ? null : (schema.enum?.find((value) => value !== values[name]) ?? 'other');
      const { body, status } = await call(service, 'PATCH', `${path}/${id}`, { body: { [name]: other } });
      expect([status, body]).toEqual([200, expect.objectContaining({ [name]: other })]);
      const { before, after } = await entryOf(`${kind}.updated`);
      expect([before, after]).toMatchObject([{ [name]: values[name] }, { [name]: other }]);
    }
  });

  it('are read from a file and written to one', async () => {
    const record = { id: `filed-${kind}`, ...placed, ...values };
    const headers = { 'content-type': 'application/x-ndjson' };
    const file = `${JSON.stringify({ [kind]: record })}\n`;
    expect((await call(service, 'POST', '/api/imports', { body: file, headers })).status).toBe(200);
    const lines: string[] = [];
    for await (const line of exportDirectory(service.dataSource)) lines.push(line);
    const written = lines.map((line) => JSON.parse(line) as Record<string, { id: string }>);
    expect(written.find((line) => line[kind]?.id === record.id)).toMatchObject({ [kind]: record });
    const { body } = await call(service, 'GET', `/api/${kind}s/${record.id}`);
    expect(body).toMatchObject(values);
    expect((await entryOf(`${kind}.created`)).after).toMatchObject(values);
  });
});

it('those of a user are columns of a table, which clears the nullable ones', async () => {
  // Its address is unique.
  await call(service, 'DELETE', '/api/users/filed-user');
  const fields = Object.entries<RecordField>(RECORD_FIELDS.user).filter(([, { setBy }]) => setBy !== 'service');
  const values = Object.fromEntries(fields.map(([name, field]) => [name, exampleOf(field)]));
  const table = (cells: readonly string[]) =>
    `id,${fields.map(([name]) => name).join(',')}\ntabled,${cells.join(',')}\n`;
  const send = async (cells: readonly string[]) => {
    const request = { body: table(cells), headers: { 'content-type': 'text/csv' } };
    expect((await call(service, 'POST', '/api/imports', request)).status).toBe(200);
    return (await call(service, 'GET', '/api/users/tabled')).body;
  };
  expect(await send(Object.values(values))).toMatchObject(values);
  const cleared = fields.map(([name, { nullable }]) => (nullable ? '' : (values[name] ?? '')));
  expect(await send(cleared)).toMatchObject(
    Object.fromEntries(fields.map(([name, { nullable }]) => [name, nullable ? null : values[name]])),
  );
});
