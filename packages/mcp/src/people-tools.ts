import { z } from 'zod';
import { firstOf, shortened } from './answers';
import { cursor, entries, id, limit, more, named, next, person, total } from './fields';
import { READS, tool } from './tool';

const MOST = 200;

export const PEOPLE_TOOLS = [
  tool({
    name: 'whoami',
    title: 'Who am I',
    description: 'Tells who this server acts as, and whether that may read or change anything.',
    hints: READS,
    input: z.strictObject({}),
    output: z.looseObject({ kind: z.string(), id: z.string(), administrator: z.boolean() }),
    example: {},
    run: async ({ client }, _given, signal) => ({ ...(await client.me({ signal })) }),
  }),
  tool({
    name: 'find_people',
    title: 'Find people',
    description:
      'Finds people by words of their id, name or address, and by status, type, workspace, group or permission. All filters must match. ' +
      'Lists 50 at most; `next` continues.',
    hints: READS,
    input: z.strictObject({
      search: z.string().min(1).max(100).optional(),
      status: z.enum(['active', 'inactive']).optional(),
      type: z.enum(['guest', 'member', 'manager', 'administrator']).optional(),
      workspace: id.optional(),
      group: id.optional(),
      permission: id.optional().describe('Held in any way.'),
      limit,
      cursor,
    }),
    output: z.object({ people: z.array(person), total: total.optional(), more, next }),
    example: { workspace: 'atlas', status: 'active' },
    async run({ client }, filter, signal) {
      const { value: page } = await client.users
        .list({ ...filter, total: true }, { signal })
        .pages()
        .next();
      return pageOf('people', page);
    },
  }),
  tool({
    name: 'show_person',
    title: 'Show a person',
    description: `Shows the record of a person, and the workspaces and groups that the person is in, ${MOST} workspaces at most.`,
    hints: READS,
    input: z.strictObject({ user: id }),
    output: z.object({
      person,
      memberships: z.array(z.looseObject({ workspace: named, groups: z.array(named) })),
      more,
    }),
    example: { user: 'ben' },
    async run({ client }, { user }, signal) {
      const [record, memberships] = await Promise.all([
        client.users.get(user, { signal }),
        firstOf(client.users.memberships(user, { signal }), MOST),
      ]);
      return { person: withoutTag(record), memberships: memberships.items, more: memberships.more };
    },
  }),
  tool({
    name: 'explain_access',
    title: 'Explain access',
    description:
      'Tells which permissions a person holds and why: from which workspace, group or grant each one comes, since when, by whom and for ' +
      `which reason. ${MOST} permissions at most.`,
    hints: READS,
    input: z.strictObject({ user: id }),
    output: z.object({
      type: z.string(),
      permissions: z.array(z.looseObject({ id: z.string(), grants: z.string(), sources: z.array(z.looseObject({})) })),
      more,
    }),
    example: { user: 'ben' },
    async run({ client }, { user }, signal) {
      const [{ type }, held] = await Promise.all([
        client.users.get(user, { signal }),
        firstOf(client.users.permissions(user, { signal }), MOST),
      ]);
      return { type, permissions: held.items, more: held.more };
    },
  }),
  tool({
    name: 'history',
    title: 'History of changes',
    description:
      'Lists what was changed, newest first: when, by whom and why. Lists 50 entries at most; `next` continues. An entry is for `undo`.',
    hints: READS,
    input: z.strictObject({
      user: id.optional(),
      workspace: id.optional(),
      actor: id.optional().describe('Who made the change.'),
      action: z.string().min(1).optional().describe('Such as user.status.changed.'),
      limit,
      cursor,
    }),
    output: z.object({ entries, more, next }),
    example: { user: 'ben', limit: 5 },
    async run({ client }, { action, ...filter }, signal) {
      const asked = { ...filter, ...(action !== undefined && { action: action as 'user.created' }) };
      const { value: page } = await client.journal.list(asked, { signal }).pages().next();
      return shortened(pageOf('entries', page)) as {
        entries: z.infer<typeof entries>;
        more: boolean;
        next: string | null;
      };
    },
  }),
];

interface Page<Item> {
  items: Item[];
  next: string | null;
  total?: { count: number; exact: boolean };
}

function pageOf<Name extends string, Item>(name: Name, page: Page<Item> | void) {
  const { items, next: following, total: all } = page ?? { items: [], next: null };
  const list = { [name]: items } as Record<Name, Item[]>;
  return { ...list, ...(all && { total: all }), more: following !== null, next: following };
}

/** A record as the service lists it. */
export function withoutTag<Item extends { etag: string }>({ etag: _, ...item }: Item): Omit<Item, 'etag'> {
  return item;
}
