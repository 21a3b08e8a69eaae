import type { CallOptions } from '../client-options.ts';
import { namesOf } from '../calls/known-names.ts';
import { cutOff } from '../calls/read-lines.ts';
import type { Service } from '../calls/service.ts';
import type { AccessLineDto, ReadAccessData } from '../generated/types.gen.ts';

/** The filters of the register. They choose users, of whom every line is told. */
export type AccessFilter = NonNullable<ReadAccessData['query']>;

/** What gives access: a permission given directly, a workspace or a group. */
export type AccessSource =
  | { kind: 'direct' }
  | { kind: 'workspace'; id: string; name: string }
  | { kind: 'group'; id: string; name: string; workspace: string };

/** One user and one source of access; null for a user without any, who has one line. */
export type AccessLine = Omit<AccessLineDto, 'source'> & { source: AccessSource | null };

const FILTERS = namesOf<AccessFilter>({
  id: true,
  email: true,
  search: true,
  status: true,
  type: true,
  workspace: true,
  group: true,
  permission: true,
  endsBefore: true,
});

/** Yields the lines of the register, and throws if the answer does not end with their number. */
export async function* readAccess(
  service: Service,
  filter: AccessFilter,
  options?: CallOptions,
): AsyncGenerator<AccessLine, void, undefined> {
  const query = { ...filter };
  let count = 0;
  let told: number | undefined;
  for await (const line of service.lines({ method: 'GET', path: '/api/access', query, filters: FILTERS }, options)) {
    if (told !== undefined) throw cutOff();
    if ('end' in line) {
      told = (line.end as { lines?: number } | null)?.lines;
      continue;
    }
    count += 1;
    yield line as AccessLine;
  }
  if (told !== count) throw cutOff();
}
