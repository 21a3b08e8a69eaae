import type { ScimConnection } from '@user-administration/client';
import { t } from '../language/language.ts';
import { rich } from '../language/message.tsx';
import { Time } from '../language/time.tsx';
import { base, service } from '../service.ts';
import { SetupList } from '../setups/setup-list.tsx';
import { useSetup } from '../setups/use-setup.tsx';
import { usePages } from '../ui/load.ts';
import { Named } from '../records/named.tsx';
import { CONNECTION } from './connection-setup.ts';

const AT_ONCE = 50;
const ACTS = { change: 'action.edit', rotate: 'connection.rotate', delete: 'action.delete' } as const;

/** The identity providers that keep users and groups by SCIM. */
export function ConnectionsPage() {
  const list = usePages((signal) => service.scimConnections.list({ limit: AT_ONCE }, { signal }), []);
  const setup = useSetup(CONNECTION);
  return (
    <SetupList kind={CONNECTION} title="page.connections" {...{ list, setup }}>
      {(connection) => (
        <li key={connection.id} class="card">
          <Connection connection={connection} act={(kind) => setup.begin(kind, connection.id)} />
        </li>
      )}
    </SetupList>
  );
}

function Connection({ connection, act }: { connection: ScimConnection; act: (kind: keyof typeof ACTS) => void }) {
  const { id, name, workspace, workspaces, idFrom, mayGrantAdministrator, createdAt, lastUsedAt } = connection;
  const title = `connection-${id}`;
  return (
    <article aria-labelledby={title}>
      <div class="row">
        <h2 id={title}>
          <bdi>{name}</bdi>
        </h2>
        <span class={lastUsedAt ? 'word' : 'word warning'}>
          {lastUsedAt ? rich('connection.heard', { time: <Time at={lastUsedAt} /> }) : t('connection.not_heard')}
        </span>
        {mayGrantAdministrator && <span class="word administrator">{t('connection.may_grant')}</span>}
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
      </dl>
      <div class="row actions">
        {Object.entries(ACTS).map(([kind, label]) => (
          <button
            key={kind}
            type="button"
            class={kind === 'delete' ? 'danger end' : undefined}
            aria-describedby={title}
            onClick={() => act(kind as keyof typeof ACTS)}
          >
            {t(label)}
          </button>
        ))}
      </div>
    </article>
  );
}
