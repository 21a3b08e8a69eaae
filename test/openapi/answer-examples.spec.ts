import openApiFile from '../../openapi.json';

interface Schema {
  $ref?: string;
  type?: string | string[];
  example?: unknown;
  enum?: unknown[];
  default?: unknown;
  oneOf?: Schema[];
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  items?: Schema;
}

const schemas = openApiFile.components.schemas as unknown as Record<string, Schema>;

/** What a tool such as Swagger UI composes as the example of an answer, from those of its fields. */
function composed(schema: Schema): unknown {
  if (schema.example !== undefined) return schema.example;
  if (schema.$ref) return composed(schemas[schema.$ref.split('/').at(-1) as string] as Schema);
  if (schema.default !== undefined) return schema.default;
  if (schema.enum) return schema.enum[0];
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map(composed)) as object;
  if (schema.oneOf) return composed(schema.oneOf[0] as Schema);
  if (schema.properties)
    return Object.fromEntries(Object.entries(schema.properties).map(([name, field]) => [name, composed(field)]));
  if (schema.items) return [composed(schema.items)];
  const [type] = [schema.type].flat();
  return { string: 'text', integer: 0, boolean: true }[type ?? ''] ?? null;
}

const of = <T>(name: string): T => composed({ $ref: `#/components/schemas/${name}` }) as T;

describe('the composed example of an answer could be true', () => {
  it('of a caller: only who is no administrator has mayRead, and the record is the caller', () => {
    const caller = of<{ id: string; administrator: boolean; mayRead?: true; user: { id: string; type: string } }>(
      'CallerDto',
    );
    expect(caller).toMatchObject({ administrator: false, mayRead: true, user: { id: caller.id } });
    expect(caller.user.type).not.toBe('administrator');
  });

  it('of permissions: where an application derives types, none earns the type', () => {
    const { rule, permissions } = of<{ rule: string; permissions: { earnsType: boolean | null }[] }>(
      'HeldPermissionsDto',
    );
    expect([rule, permissions.map(({ earnsType }) => earnsType)]).toEqual(['application', [null]]);
  });

  it('of memberships: a group ends at the latest with its workspace', () => {
    type Place = { until: string };
    const { memberships } = of<{ memberships: { workspace: Place; groups: Place[] }[] }>('MembershipPageDto');
    for (const { workspace, groups } of memberships)
      for (const { until } of groups) expect(until <= workspace.until).toBe(true);
  });

  it('of the journal: an entry that tells a reason was not erased', () => {
    const { entries } = of<{ entries: object[] }>('JournalPageDto');
    expect(entries).toEqual([expect.objectContaining({ reason: expect.any(String) as string })]);
    expect(entries[0]).not.toHaveProperty('erased');
  });

  it('of a dry run: somebody is affected, and gets another type', () => {
    const { result } = of<{ result: { record: null; users: { affected: number; types: Record<string, unknown>[] } } }>(
      'RecordDryRunDto',
    );
    expect(result).toEqual({
      record: null,
      users: { affected: 1, types: [{ before: 'manager', after: 'member', count: 1, first: ['ben'] }] },
    });
  });
});
