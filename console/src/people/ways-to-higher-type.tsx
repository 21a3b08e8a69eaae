import type { UserType } from '@user-administration/client';
import { useState } from 'preact/hooks';
import { listed } from '../history/subjects.tsx';
import { t } from '../language/language.ts';
import { rich } from '../language/message.tsx';
import { PlaceLabel, type Place } from '../places/place-label.tsx';
import { service } from '../service.ts';
import { useLoaded } from '../ui/load.ts';
import { Named } from '../records/named.tsx';
import { ErrorNotice, Skeleton } from '../ui/notice.tsx';

const TYPES: readonly UserType[] = ['guest', 'member', 'manager', 'administrator'];
/** What is looked at: the places nearest to the person, each a request. */
const MOST_PERMISSIONS = 20;
const MOST_PLACES = 30;

/** What would make more of a person: the permissions of a higher type, and which places near them give these. */
export function WaysToHigherType({ id, type }: { id: string; type: UserType }) {
  const [isOpen, setOpen] = useState(false);
  if (type === 'administrator') return null;
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{t('why.more_of')}</summary>
      {isOpen && <Ways id={id} type={type} />}
    </details>
  );
}

function Ways({ id, type }: { id: string; type: UserType }) {
  const { value, error, reload } = useLoaded((signal) => waysOf(id, type, signal), [id, type]);
  if (!value) return error === undefined ? <Skeleton rows={2} /> : <ErrorNotice error={error} retry={reload} />;
  return (
    <ul class="rows">
      {value.map(({ type, permission, places }) => (
        <li key={permission}>
          {rich(places.length > 0 ? 'why.by_places' : 'why.by_permission', {
            type: t(`type.${type}`),
            permission: <Named kind="permission" id={permission} />,
            places: listed(places.map((place) => <PlaceLabel {...place} />)),
          })}
        </li>
      ))}
    </ul>
  );
}

interface WayUp {
  type: UserType;
  permission: string;
  places: Place[];
}

async function waysOf(id: string, type: UserType, signal: AbortSignal): Promise<WayUp[]> {
  const higher = TYPES.slice(TYPES.indexOf(type) + 1);
  const [places, ...permissions] = await Promise.all([
    placesNear(id, signal),
    ...higher.map((grants) => service.permissions.list({ grants, limit: MOST_PERMISSIONS }, { signal }).pages().next()),
  ]);
  return permissions.flatMap(({ value }) =>
    (value?.items ?? []).map(({ id: permission, grants }) => ({
      type: grants,
      permission,
      places: places.filter((place) => place.permissions.includes(permission)),
    })),
  );
}

/** The groups of the person's workspaces, with what they give. */
async function placesNear(id: string, signal: AbortSignal): Promise<(Place & { permissions: string[] })[]> {
  const { value } = await service.users.memberships(id, { signal }).pages().next();
  const workspaces = (value?.items ?? []).slice(0, MOST_PLACES).map(({ workspace }) => workspace.id);
  const groups: string[] = [];
  for (const workspace of workspaces) {
    if (groups.length >= MOST_PLACES) break;
    const page = await service.groups.list({ workspace, limit: MOST_PLACES }, { signal }).pages().next();
    groups.push(...(page.value?.items ?? []).map((group) => group.id));
  }
  const records = await Promise.all(groups.slice(0, MOST_PLACES).map((group) => service.groups.get(group, { signal })));
  return records.map(({ id, workspace, permissions }) => ({ kind: 'group', id, workspace, permissions }));
}
