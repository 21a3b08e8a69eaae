import type { Permission, Stored } from '@user-administration/client';
import { t } from '../language/language.ts';
import { DeleteButton } from '../records/delete-record.tsx';
import { EditButton } from '../records/edit-button.tsx';
import { TypeWord } from '../records/grants.tsx';
import { RecordHead, RecordPage } from '../records/record-page.tsx';
import { Facts } from './facts.tsx';
import { PeopleOf } from './people-of.tsx';

/** The card of a permission: what it is for, the type that it grants, and who holds it. */
export function PermissionPage({ id }: { id: string }) {
  return (
    <RecordPage<Stored<Permission>> kind="permission" id={id}>
      {(permission) => (
        <>
          <RecordHead record={permission}>
            <EditButton kind="permission" record={permission} />
            <DeleteButton kind="permission" record={permission} />
          </RecordHead>
          <div class="columns">
            <Facts record={permission}>
              <dt>{t('field.description')}</dt>
              <dd>{permission.description ? <bdi>{permission.description}</bdi> : <i>{t('field.nothing')}</i>}</dd>
              <dt>{t('field.grants')}</dt>
              <dd>
                <TypeWord type={permission.grants} />
              </dd>
            </Facts>
            <PeopleOf of={{ permission: id }} />
          </div>
        </>
      )}
    </RecordPage>
  );
}
