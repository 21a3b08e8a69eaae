import { z } from 'zod';
import { previewOf, type Result } from './changes';
import { id, ids, reason, result } from './fields';
import { CHANGES, READS, tool } from './tool';

const MOST_PEOPLE = 1_000;
const MOST_PLACES = 1_000;

const preview = z.object({
  preview: z.string().describe('For `apply`.'),
  expiresAt: z.string().describe('When it can no longer be applied: after five minutes.'),
  summary: z.string(),
  result,
});

const places = z.strictObject({
  userIds: ids(MOST_PEOPLE).describe('Ids of people, as find_people tells them.'),
  workspaces: ids(MOST_PLACES).describe('Ids of workspaces.'),
  groups: z.array(id).max(MOST_PLACES).optional().describe('Ids of groups of these workspaces.'),
  until: z.string().optional().describe('When it ends: ISO 8601 with an offset, such as 2027-01-31T18:00:00+01:00.'),
  reason,
});

const said = (count: number, thing: string): string => `${count} ${thing}${count === 1 ? '' : 's'}`;
const people = (count: number): string => (count === 1 ? '1 person' : `${count} people`);

/** Counts alone: names and ids are in `result`, as data. */
function summary(what: string, { users, unchanged }: Result): string {
  const types = users.filter(({ type }) => type !== undefined).length;
  const change = types === 0 ? '' : ` The type of ${people(types)} would change.`;
  return `${what}: ${people(users.length)} would change, ${people(unchanged)} would not.${change} Nothing was changed yet.`;
}

const whereOf = ({ workspaces, groups = [] }: { workspaces: string[]; groups?: string[] }): string =>
  said(workspaces.length, 'workspace') + (groups.length === 0 ? '' : ` and ${said(groups.length, 'group')}`);

export const CHANGING_TOOLS = [
  tool({
    name: 'preview_assign',
    title: 'Preview: add people to workspaces and groups',
    description: `Shows what adding people to workspaces, and to groups of them, would do. Changes nothing. At most ${MOST_PEOPLE} people.`,
    hints: READS,
    input: places,
    output: preview,
    example: { userIds: ['dee'], workspaces: ['atlas'], groups: ['atlas-editors'], reason: 'Works on Atlas' },
    run: (bench, body) =>
      previewOf(
        bench,
        (options) => bench.client.users.assignWorkspaces(body, options),
        (found) => summary(`Adding to ${whereOf(body)}`, found),
      ),
  }),
  tool({
    name: 'preview_unassign',
    title: 'Preview: take people out of workspaces or groups',
    description:
      'Shows what taking people out of groups would do or, without groups, out of workspaces and all their groups. ' +
      `With \`until\` they would leave then. Changes nothing. At most ${MOST_PEOPLE} people.`,
    hints: READS,
    input: places,
    output: preview,
    example: { userIds: ['ben'], workspaces: ['atlas'], reason: 'Has left the project' },
    run: (bench, body) =>
      previewOf(
        bench,
        (options) => bench.client.users.unassignWorkspaces(body, options),
        (found) => summary(`Taking out of ${whereOf(body)}`, found),
      ),
  }),
  tool({
    name: 'preview_status',
    title: 'Preview: suspend or reactivate people',
    description: `Shows what setting the status of people would do: \`inactive\` suspends them. Changes nothing. At most ${MOST_PEOPLE} people.`,
    hints: READS,
    input: z.strictObject({ userIds: ids(MOST_PEOPLE), status: z.enum(['active', 'inactive']), reason }),
    output: preview,
    example: { userIds: ['ben', 'cyd'], status: 'inactive', reason: 'On leave' },
    run: (bench, body) =>
      previewOf(
        bench,
        (options) => bench.client.users.assignStatus(body, options),
        (found) => summary(`Setting the status ${body.status}`, found),
      ),
  }),
  tool({
    name: 'apply',
    title: 'Apply a preview',
    description:
      'Makes the change that a preview showed, once, if it would still do the same. `entry` is for `undo`; it is null if ' +
      'nothing changed. Applied again, it answers the same.',
    hints: CHANGES,
    input: z.strictObject({ preview: z.string() }),
    output: z.object({ entry: z.string().nullable(), result }),
    example: { preview: '0d9f2b0e-5a5c-4c8e-9a53-0f3d8f3f0b1e' },
    run: ({ previews }, { preview: shown }) => previews.apply(shown),
  }),
  tool({
    name: 'undo',
    title: 'Undo a change',
    description:
      'Takes back what the request of this entry of the history did to memberships and statuses, where nobody has changed it since. ' +
      'Undoing again changes nothing.',
    hints: CHANGES,
    input: z.strictObject({ entry: id, reason: reason.optional() }),
    output: z.object({ message: z.string(), result }),
    example: { entry: '42', reason: 'It was a mistake' },
    async run({ client }, { entry, reason: why }) {
      const { message, result: undone } = await client.journal.undo(entry, { reason: why }, { representation: true });
      return { message, result: { ...undone, users: undone?.users ?? [], unchanged: undone?.unchanged ?? 0 } };
    },
  }),
];
