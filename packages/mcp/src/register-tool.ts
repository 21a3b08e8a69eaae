import type { AccessLine } from '@user-administration/client';
import { z } from 'zod';
import { id, person } from './fields';
import { oneOf } from './places-tools';
import { type Bench, READS, tool } from './tool';

const MOST = 200;
/** The register is read as a whole, and the service can need a while before its first line. */
const PATIENCE = { timeoutMs: 300_000, deadlineMs: 300_000 };

const actor = z.looseObject({ kind: z.string(), id: z.string() });
const source = z.looseObject({ kind: z.string() });
const line = z.looseObject({
  user: person,
  source,
  permissions: z.array(z.string()),
  since: z.string().nullable(),
  until: z.string().nullable(),
  actor: actor.nullable(),
  reason: z.string().nullable(),
});

interface Asked {
  workspace?: string;
  group?: string;
  permission?: string;
}

export const REGISTER_TOOL = tool({
  name: 'register',
  title: 'Register of access',
  description:
    'Tells who has access through one workspace or one group, or in any way to one permission: a line for each person and source, with ' +
    `what it gives, since when, until when, by whom and why. Inactive people count. Lists ${MOST} lines at most, and then how many \`more\` there are.`,
  hints: READS,
  input: z
    .strictObject({ workspace: id.optional(), group: id.optional(), permission: id.optional() })
    .describe('Exactly one of them.'),
  output: z.object({
    lines: z.array(line),
    more: z.int().optional().describe('How many lines follow; absent if there are none.'),
  }),
  example: { workspace: 'atlas' },
  async run({ client }, given, signal) {
    const asked = oneOf(given, ['workspace', 'group', 'permission']);
    await requirePlace(client, asked, signal);
    const lines: AccessLine[] = [];
    let more = 0;
    for await (const found of client.access(asked, { signal, ...PATIENCE })) {
      if (!isAsked(found, asked)) continue;
      if (lines.length < MOST) lines.push(found);
      else more += 1;
    }
    // Only a person without any source has none, and no such line is asked for.
    return { lines: lines as z.output<typeof line>[], ...(more > 0 && { more }) };
  },
});

/** An id that is misspelt would otherwise look like a place that nobody is in. */
async function requirePlace(client: Bench['client'], asked: Asked, signal: AbortSignal): Promise<void> {
  if (asked.workspace !== undefined) await client.workspaces.get(asked.workspace, { signal });
  else if (asked.group !== undefined) await client.groups.get(asked.group, { signal });
  else if (asked.permission !== undefined) await client.permissions.get(asked.permission, { signal });
}

/** The register tells every line of the people whom its filter chooses. */
function isAsked({ source: from, permissions }: AccessLine, { workspace, group, permission }: Asked): boolean {
  if (permission !== undefined) return permissions.includes(permission);
  if (from === null || from.kind === 'direct') return false;
  return from.kind === 'workspace' ? from.id === workspace : from.id === group;
}
