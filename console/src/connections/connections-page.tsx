import { useState } from 'preact/hooks';
import type { ScimConnection, ScimConnectionWithToken } from '@user-administration/client';
import { t } from '../language/language.ts';
import { Time } from '../language/time.tsx';
import { base, service } from '../service.ts';
import { ChangeSetup, CreateSetup, DeleteSetup, RotateSecret } from '../setups/setup-forms.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { useLoaded, usePages } from '../ui/load.ts';
import { Named } from '../records/named.tsx';
import { ErrorNotice, Skeleton } from '../ui/notice.tsx';
import { SecretDialog } from '../ui/secret-dialog.tsx';
import { CONNECTION } from './connection-setup.ts';

/** What is being done with a connection, in a dialog. */
type Doing =
  | { kind: 'create' }
  | { kind: 'change' | 'rotate' | 'delete'; connection: ScimConnection }
  | { kind: 'show'; token: string; isNew: boolean };

const AT_ONCE = 50;

/** The identity providers that keep users and groups by SCIM. */
export function ConnectionsPage() {
  const { items, error, isLoading, isSlow, hasMore, more, reload } = usePages(
    (signal) => service.scimConnections.list({ limit: AT_ONCE }, { signal }),
    [],
  );
  const [doing, setDoing] = useState<Doing>();
  const close = () => setDoing(undefined);
  const create = (
    <button type="button" class="primary" onClick={() => setDoing({ kind: 'create' })}>
      {t('connection.new')}
    </button>
  );
  return (
    <>
      <div class="row">
        <h1>{t('page.connections')}</h1>
        {items?.length !== 0 && <span class="end">{create}</span>}
      </div>
      <p class="hint">{t('connection.about')}</p>
      <ErrorNotice error={error} retry={items ? undefined : reload} />
      {!items && isLoading && <Skeleton isSlow={isSlow} />}
      {items?.length === 0 && (
        <p class="empty">
          {t('connection.none')} {create}
        </p>
      )}
      <ul class="plain-list">
        {items?.map((connection) => (
          <li key={connection.id} class="card">
            <Connection connection={connection} act={(kind) => setDoing({ kind, connection })} />
          </li>
        ))}
      </ul>
      {hasMore && (
        <button type="button" onClick={more}>
          {t('action.more')}
        </button>
      )}
      {doing?.kind === 'create' && (
        <CreateSetup
          kind={CONNECTION}
          onClose={close}
          onDone={({ token }: ScimConnectionWithToken) => setDoing({ kind: 'show', token, isNew: true })}
        />
      )}
      {(doing?.kind === 'change' || doing?.kind === 'delete') && (
        <Anew id={doing.connection.id} kind={doing.kind} onClose={close} />
      )}
      {doing?.kind === 'rotate' && (
        <RotateSecret
          kind={CONNECTION}
          stored={doing.connection}
          onClose={close}
          onDone={(token) => setDoing({ kind: 'show', token, isNew: false })}
        />
      )}
      {doing?.kind === 'show' && (
        <SecretDialog
          title={t(doing.isNew ? 'connection.made' : 'connection.rotated')}
          label={t('connection.token')}
          secret={doing.token}
          also={{ label: t('connection.base_url'), value: `${base}/scim/v2` }}
          hint={t('connection.token_hint')}
          onClose={close}
        />
      )}
    </>
  );
}

/** Loads a connection anew: its version is that of what is shown. */
function Anew({ id, kind, onClose }: { id: string; kind: 'change' | 'delete'; onClose: () => void }) {
  const { value, error, isSlow, reload } = useLoaded((signal) => service.scimConnections.get(id, { signal }), [id]);
  if (value) {
    const asked = { kind: CONNECTION, stored: value, onClose, onOutdated: reload };
    return kind === 'change' ? (
      <ChangeSetup key={value.etag} {...asked} />
    ) : (
      <DeleteSetup key={value.etag} {...asked} onDeleted={onClose} />
    );
  }
  return (
    <Dialog title={t(kind === 'change' ? 'connection.edit' : 'connection.delete')} onClose={onClose}>
      {error === undefined ? <Skeleton isSlow={isSlow} /> : <ErrorNotice error={error} retry={reload} />}
    </Dialog>
  );
}

function Connection({
  connection,
  act,
}: {
  connection: ScimConnection;
  act: (kind: 'change' | 'rotate' | 'delete') => void;
}) {
  const { id, name, workspace, workspaces, idFrom, mayGrantAdministrator, createdAt, lastUsedAt } = connection;
  const title = `connection-${id}`;
  return (
    <article aria-labelledby={title}>
      <div class="row">
        <h2 id={title}>
          <bdi>{name}</bdi>
        </h2>
        {mayGrantAdministrator && <span class="word warning">{t('connection.may_grant')}</span>}
      </div>
      <dl class="facts">
        <dt>{t('connection.workspace')}</dt>
        <dd>
          <Named kind="workspace" id={workspace} />
        </dd>
        {workspaces.length > 0 && (
          <>
            <dt>{t('connection.workspaces')}</dt>
            <dd class="row tight">
              {workspaces.map((each) => (
                <Named key={each} kind="workspace" id={each} />
              ))}
            </dd>
          </>
        )}
        <dt>{t('connection.base_url')}</dt>
        <dd>
          <code class="id" dir="ltr">{`${base}/scim/v2`}</code>
        </dd>
        <dt>{t('connection.id_from')}</dt>
        <dd>{t(idFrom === 'externalId' ? 'connection.id_from.external_id' : 'connection.id_from.user_name')}</dd>
        <dt>{t('connection.created')}</dt>
        <dd>
          <Time at={createdAt} />
        </dd>
        <dt>{t('connection.last_used')}</dt>
        <dd>{lastUsedAt ? <Time at={lastUsedAt} /> : t('connection.never_used')}</dd>
      </dl>
      <div class="row actions">
        <button type="button" aria-describedby={title} onClick={() => act('change')}>
          {t('action.edit')}
        </button>
        <button type="button" aria-describedby={title} onClick={() => act('rotate')}>
          {t('connection.rotate')}
        </button>
        <button type="button" class="danger end" aria-describedby={title} onClick={() => act('delete')}>
          {t('action.delete')}
        </button>
      </div>
    </article>
  );
}
