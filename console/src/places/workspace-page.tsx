import type { Stored, WorkspaceRecord } from '@user-administration/client';
import { useEffect } from 'preact/hooks';
import { useFresh } from '../fresh.ts';
import { t } from '../language/language.ts';
import { learnNames } from '../names.ts';
import { DeleteButton } from '../records/delete-record.tsx';
import { EditButton } from '../records/edit-button.tsx';
import { Grants } from '../records/grants.tsx';
import { LastChanges } from '../records/last-changes.tsx';
import { RecordHead, RecordPage } from '../records/record-page.tsx';
import { service } from '../service.ts';
import { AdministratorsOnly } from '../session/administrators-only.tsx';
import { usePages } from '../ui/load.ts';
import { Named } from '../records/named.tsx';
import { ErrorNotice, Skeleton } from '../ui/notice.tsx';
import { AddPeopleButton } from './add-people.tsx';
import { CreateGroupButton } from './create-place.tsx';
import { Facts } from './facts.tsx';
import { PeopleCount } from './people-count.tsx';
import { PeopleOf } from './people-of.tsx';

/** The card of a workspace: what it grants, its groups, who is in, and what happened last. */
export function WorkspacePage({ id }: { id: string }) {
  return (
    <RecordPage<Stored<WorkspaceRecord>> kind="workspace" id={id}>
      {(workspace) => (
        <>
          <RecordHead record={workspace}>
            <AddPeopleButton name={workspace.name} workspaces={[id]} />
            <EditButton kind="workspace" record={workspace} />
            <DeleteButton kind="workspace" record={workspace} />
          </RecordHead>
          <div class="columns">
            <div>
              <Facts record={workspace} />
              <Grants permissions={workspace.permissions}>
                <AdministratorsOnly>
                  <EditButton kind="workspace" record={workspace} />
                </AdministratorsOnly>
              </Grants>
              <Groups workspace={id} />
              <PeopleOf of={{ workspace: id }} place={{ name: workspace.name, workspaces: [id] }} />
            </div>
            <LastChanges workspace={id} />
          </div>
        </>
      )}
    </RecordPage>
  );
}

function Groups({ workspace }: { workspace: string }) {
  const list = usePages((signal) => service.groups.list({ workspace }, { signal }), [workspace]);
  useEffect(() => learnNames('group', list.items ?? []), [list.items]);
  const freshOf = useFresh('group');
  const create = (
    <AdministratorsOnly>
      <CreateGroupButton workspace={workspace} />
    </AdministratorsOnly>
  );
  return (
    <section class="card">
      <div class="row">
        <h2>{t('card.groups')}</h2>
        {list.items?.length !== 0 && <span class="end">{create}</span>}
      </div>
      <ErrorNotice error={list.error} retry={list.reload} />
      {!list.items && list.isLoading && <Skeleton rows={2} isSlow={list.isSlow} />}
      {list.items?.length === 0 && (
        <p class="empty">
          {t('card.groups_none')} {create}
        </p>
      )}
      <ul class="rows">
        {list.items?.map(({ id }) => (
          <li key={id} class={freshOf(id)}>
            <Named kind="group" id={id} /> <PeopleCount of={{ group: id }} />
          </li>
        ))}
      </ul>
      {list.hasMore && (
        <button type="button" onClick={list.more}>
          {t('action.more')}
        </button>
      )}
    </section>
  );
}
