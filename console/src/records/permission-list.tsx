import type { Permission } from '@user-administration/client';
import { useState } from 'preact/hooks';
import { t } from '../language/language.ts';
import { service } from '../service.ts';
import { usePages } from '../ui/load.ts';
import { TypeWord } from './grants.tsx';
import type { OwnInput, OwnKind } from '../ui/fields.ts';
import { ErrorNotice, Skeleton } from '../ui/notice.tsx';

/** Permissions to choose from: those chosen before the search first, then what it finds. */
function PermissionList({ label, common, value, onChange }: OwnInput) {
  const chosen = value as readonly string[];
  const [search, setSearch] = useState('');
  // They stay on top while one clicks, so that nothing moves under the pointer.
  const [pinned, setPinned] = useState(chosen);
  const found = usePages((signal) => service.permissions.list({ search: search || undefined }, { signal }), [search]);
  const others = (found.items ?? []).filter(({ id }) => !pinned.includes(id));
  const toggle = (id: string) => onChange(chosen.includes(id) ? chosen.filter((each) => each !== id) : [...chosen, id]);
  const known = new Map(found.items?.map((each) => [each.id, each]));
  return (
    <>
      <input
        {...common}
        type="search"
        maxLength={100}
        autocomplete="off"
        placeholder={t('field.permissions_search')}
        value={search}
        onInput={({ currentTarget }) => {
          setPinned([...new Set([...pinned, ...chosen])]);
          setSearch(currentTarget.value);
        }}
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      />
      <div class="choice-list" role="group" aria-label={label}>
        {pinned.map((id) => (
          <Choice key={id} id={id} permission={known.get(id)} checked={chosen.includes(id)} toggle={toggle} />
        ))}
        {others.map((permission) => (
          <Choice
            key={permission.id}
            id={permission.id}
            permission={permission}
            checked={chosen.includes(permission.id)}
            toggle={toggle}
          />
        ))}
        {!found.items && found.isLoading && <Skeleton rows={2} isSlow={found.isSlow} />}
        {found.items && pinned.length + others.length === 0 && <p class="hint">{t('field.permissions_none')}</p>}
        {found.hasMore && (
          <button type="button" onClick={found.more}>
            {t('action.more')}
          </button>
        )}
        <ErrorNotice error={found.error} retry={found.reload} />
      </div>
    </>
  );
}

/** The ids of permissions. One types into the search. */
export const PERMISSION_LIST: OwnKind = { show: PermissionList, isList: true };

function Choice({
  id,
  permission,
  checked,
  toggle,
}: {
  id: string;
  permission: Permission | undefined;
  checked: boolean;
  toggle: (id: string) => void;
}) {
  return (
    <label>
      <input type="checkbox" checked={checked} onChange={() => toggle(id)} />
      <span>
        <bdi>{id}</bdi> {permission && <TypeWord type={permission.grants} />}
        {permission?.description && (
          <small>
            <bdi>{permission.description}</bdi>
          </small>
        )}
      </span>
    </label>
  );
}
