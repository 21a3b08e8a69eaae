import { Found, isEmpty, NextStep, useFirst } from '../finding/found.tsx';
import { SearchBox } from '../finding/search-box.tsx';
import { useTyped } from '../finding/typed.ts';
import { useFresh } from '../fresh.ts';
import { t } from '../language/language.ts';
import { goTo, href, replaceAddress, useAddress } from '../routing/address.ts';
import { TypeWord } from '../records/grants.tsx';
import { service } from '../service.ts';
import { AdministratorsOnly } from '../session/administrators-only.tsx';
import { usePages } from '../ui/load.ts';
import { CreatePermissionButton } from './create-place.tsx';

const WORDS = { found: 'permissions.found', foundMore: 'permissions.found_more', none: 'permissions.none' } as const;

/** Finding permissions, with the type that each one earns. */
export function PermissionsPage() {
  const search = useAddress().query.get('search') ?? '';
  const typed = useTyped(search, (search) => replaceAddress(href(['permissions'], { search })));
  const found = usePages(
    (signal) => service.permissions.list({ search: search || undefined, total: true }, { signal }),
    [search],
  );
  const freshOf = useFresh('permission');
  const openFirst = useFirst(found, search, ({ id }) => goTo(href(['permissions', id])));
  const create = (
    <AdministratorsOnly>
      <CreatePermissionButton />
    </AdministratorsOnly>
  );
  return (
    <>
      <div class="page-head">
        <h1>{t('page.permissions')}</h1>
        {!isEmpty(found, search) && create}
      </div>
      <SearchBox
        label={t('permissions.search')}
        hint={t('permissions.search_hint')}
        typed={typed}
        onFirst={openFirst}
      />
      <Found
        found={found}
        words={WORDS}
        empty={<NextStep page="permissions" search={search} children={create} />}
        table={(permissions) => (
          <table>
            <thead>
              <tr>
                <th scope="col">{t('permissions.permission')}</th>
                <th scope="col">{t('permissions.grants')}</th>
              </tr>
            </thead>
            <tbody>
              {permissions.map(({ id, description, grants }) => (
                <tr key={id} class={freshOf(id)}>
                  <th scope="row">
                    <a href={href(['permissions', id])}>
                      <bdi>{id}</bdi>
                    </a>
                    <small>
                      <bdi>{description}</bdi>
                    </small>
                  </th>
                  <td>
                    <TypeWord type={grants} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      />
    </>
  );
}
