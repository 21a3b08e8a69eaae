import { z } from 'zod';
import { id, more, named, person, total } from './fields';
import { withoutTag } from './people-tools';
import { READS, tool, ToolError } from './tool';

const MOST = 50;

const group = z.looseObject({ id: z.string(), name: z.string(), workspace: z.string() });
/** A list that ends after 50. */
const first = <Item extends z.ZodType>(item: Item) => z.object({ items: z.array(item), total: total.optional(), more });

export const PLACES_TOOLS = [
  tool({
    name: 'find_places',
    title: 'Find workspaces and groups',
    description: `Finds workspaces and groups by words of their id or name; with a workspace, its groups. Lists ${MOST} of each at most: search for less.`,
    hints: READS,
    input: z.strictObject({ search: z.string().min(1).max(100).optional(), workspace: id.optional() }),
    output: z.object({ workspaces: first(named), groups: first(group) }),
    example: { search: 'atlas' },
    async run({ client }, { search, workspace }, signal) {
      const asked = { search, total: true, limit: MOST };
      const [workspaces, groups] = await Promise.all([
        firstPage(
          client.workspaces.list({ ...asked, id: workspace === undefined ? undefined : [workspace] }, { signal }),
        ),
        firstPage(client.groups.list({ ...asked, workspace }, { signal })),
      ]);
      return { workspaces, groups };
    },
  }),
  tool({
    name: 'show_place',
    title: 'Show a workspace or a group',
    description: `Shows a workspace with its groups, or a group; the permissions that it gives, and the people in it, ${MOST} of each at most.`,
    hints: READS,
    input: z.strictObject({ workspace: id.optional(), group: id.optional() }).describe('Exactly one of them.'),
    output: z.object({ place: named, groups: first(group).optional(), people: first(person) }),
    example: { workspace: 'atlas' },
    async run({ client }, given, signal) {
      const { workspace, group: one } = oneOf(given, ['workspace', 'group']);
      const filter = { total: true, limit: MOST };
      if (one !== undefined) {
        const [place, people] = await Promise.all([
          client.groups.get(one, { signal }),
          firstPage(client.users.list({ ...filter, group: one }, { signal })),
        ]);
        return { place: withoutTag(place), people };
      }
      const [place, groups, people] = await Promise.all([
        client.workspaces.get(workspace ?? '', { signal }),
        firstPage(client.groups.list({ ...filter, workspace }, { signal })),
        firstPage(client.users.list({ ...filter, workspace }, { signal })),
      ]);
      return { place: withoutTag(place), groups, people };
    },
  }),
];

/** @throws ToolError unless exactly one of the names is given */
export function oneOf<Given extends object>(given: Given, names: readonly (keyof Given & string)[]): Given {
  if (names.filter((name) => given[name] !== undefined).length === 1) return given;
  throw new ToolError('arguments.invalid', `Give exactly one of ${names.join(', ')}.`);
}

interface Listed<Item> {
  pages(): AsyncGenerator<{ items: Item[]; next: string | null; total?: { count: number; exact: boolean } }, void>;
}

async function firstPage<Item>(list: Listed<Item>) {
  const { value: page } = await list.pages().next();
  const { items, next, total: all } = page ?? { items: [], next: null };
  return { items, ...(all && { total: all }), more: next !== null };
}
