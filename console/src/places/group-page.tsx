import type { GroupRecord, Stored } from '@user-administration/client';
import { t } from '../language/language.ts';
import { DeleteButton } from '../records/delete-record.tsx';
import { EditButton } from '../records/edit-button.tsx';
import { Grants } from '../records/grants.tsx';
import { LastChanges } from '../records/last-changes.tsx';
import { RecordHead, RecordPage } from '../records/record-page.tsx';
import { Named } from '../records/named.tsx';
import { AdministratorsOnly } from '../session/administrators-only.tsx';
import { AddPeopleButton } from './add-people.tsx';
import { Facts } from './facts.tsx';
import { PeopleOf } from './people-of.tsx';

/** The card of a group: its workspace, what it grants, who is in, and what happened last in the workspace. */
export function GroupPage({ id }: { id: string }) {
  return (
    <RecordPage<Stored<GroupRecord>> kind="group" id={id}>
      {(group) => (
        <>
          <RecordHead
            record={group}
            words={
              <small>
                (<Named kind="workspace" id={group.workspace} />)
              </small>
            }
          >
            <AddPeopleButton name={group.name} workspaces={[group.workspace]} groups={[id]} />
            <EditButton kind="group" record={group} />
            <DeleteButton kind="group" record={group} />
          </RecordHead>
          <div class="columns">
            <div>
              <Facts record={group}>
                <dt>{t('card.workspace')}</dt>
                <dd>
                  <Named kind="workspace" id={group.workspace} />
                </dd>
              </Facts>
              <Grants permissions={group.permissions}>
                <AdministratorsOnly>
                  <EditButton kind="group" record={group} />
                </AdministratorsOnly>
              </Grants>
              <PeopleOf of={{ group: id }} place={{ name: group.name, workspaces: [group.workspace], groups: [id] }} />
            </div>
            <LastChanges workspace={group.workspace} group={id} />
          </div>
        </>
      )}
    </RecordPage>
  );
}
