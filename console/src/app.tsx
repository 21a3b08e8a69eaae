import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { ChangeDialog } from './changes/change-dialog.tsx';
import { isAway, stayFresh } from './fresh.ts';
import { useDroppedFiles } from './imports/dropped-file.ts';
import { KeysDialog, useFocusKept } from './keys-dialog.tsx';
import { type MessageKey, t } from './language/language.ts';
import { PeoplePage } from './people/people-page.tsx';
import { PersonPage } from './people/person-page.tsx';
import { GroupPage } from './places/group-page.tsx';
import { PermissionPage } from './places/permission-page.tsx';
import { PermissionsPage } from './places/permissions-page.tsx';
import { WorkspacePage } from './places/workspace-page.tsx';
import { WorkspacesPage } from './places/workspaces-page.tsx';
import { type Address, href, useAddress } from './routing/address.ts';
import { keptRows } from './ui/kept-place.ts';
import { useMayChange } from './session/administrators-only.tsx';
import { session } from './session/session.ts';
import { SignInAgain, SignInPage } from './session/sign-in-page.tsx';
import { SessionMenu } from './session-menu.tsx';
import { Icon, type IconName, Mark } from './ui/icon.tsx';
import { Looks } from './looks.tsx';
import { Later } from './later.tsx';
import { ErrorNotice, Skeleton } from './ui/notice.tsx';
import { ToastArea } from './ui/toast.tsx';

/** The pages, by the first part of the address. With an id behind it, the second one. Those with acts are for administrators alone. */
const PAGES: Readonly<
  Record<
    string,
    {
      title: MessageKey;
      list?: (address: Address) => VNode;
      one?: (id: string) => VNode;
      /** Its picture in the menu. */
      icon?: IconName;
      withActs?: true;
    }
  >
> = {
  start: { title: 'page.start', list: () => <Later show={({ StartPage }) => <StartPage />} />, icon: 'start' },
  people: {
    title: 'page.people',
    list: () => <PeoplePage />,
    one: (id) => <PersonPage id={id} key={id} />,
    icon: 'user',
  },
  workspaces: {
    title: 'page.workspaces',
    list: () => <WorkspacesPage />,
    one: (id) => <WorkspacePage id={id} key={id} />,
    icon: 'workspace',
  },
  groups: { title: 'page.workspaces', one: (id) => <GroupPage id={id} key={id} /> },
  permissions: {
    title: 'page.permissions',
    list: () => <PermissionsPage />,
    one: (id) => <PermissionPage id={id} key={id} />,
    icon: 'permission',
  },
  history: {
    title: 'page.history',
    list: () => <Later show={({ HistoryPage }) => <HistoryPage />} />,
    icon: 'history',
  },
  connections: {
    title: 'page.connections',
    list: () => <Later show={({ ConnectionsPage }) => <ConnectionsPage />} />,
    icon: 'connection',
    withActs: true,
  },
  import: { title: 'page.import', list: () => <Later show={({ ImportPage }) => <ImportPage />} />, withActs: true },
  webhooks: {
    title: 'page.webhooks',
    list: () => <Later show={({ WebhooksPage }) => <WebhooksPage />} />,
    one: (id) => <Later show={({ WebhookPage }) => <WebhookPage id={id} key={id} />} />,
    icon: 'webhook',
    withActs: true,
  },
};

export function App() {
  const state = session.use();
  if (state.kind === 'signed_out')
    return (
      <SignInPage {...state}>
        <Looks />
      </SignInPage>
    );
  if (state.kind === 'checking')
    return (
      <main class="sign-in">
        <Skeleton rows={1} />
      </main>
    );
  if (state.kind === 'unreachable')
    return (
      <main class="sign-in">
        <ErrorNotice error={state.error} retry={state.retry} />
      </main>
    );
  return (
    <>
      <Shell key={state.me.id} />
      {state.again && <SignInAgain {...state} />}
    </>
  );
}

function Shell() {
  useEffect(() => {
    const controller = new AbortController();
    void stayFresh(controller.signal);
    return () => controller.abort();
  }, []);
  const state = session.use();
  // Whoever must sign in again hears that alone.
  const away = isAway.use() && !(state.kind === 'signed_in' && state.again === 'ended');
  useFocusKept();
  const { path, query } = useAddress();
  const [name = 'start', id] = path;
  const mayChange = useMayChange();
  useDroppedFiles(mayChange);
  const pages = Object.entries(PAGES).filter(([, { withActs }]) => mayChange || !withActs);
  const page = new Map(pages).get(name);
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  useEffect(() => {
    document.title = `${t(page?.title ?? 'page.unknown')} · ${t('title')}`;
    // A screen reader is to begin at the new page, but not before anything was chosen.
    if (!isFirst.current && !main.current?.contains(document.activeElement))
      main.current?.focus({ preventScroll: true });
    // On a phone the menu is wider than the page.
    document.querySelector('nav [aria-current]')?.scrollIntoView({ inline: 'center', block: 'nearest' });
    if (keptRows() === 0) scrollTo(0, 0);
    isFirst.current = false;
  }, [name, id]);
  return (
    <>
      <a class="skip" href="#main" onClick={(event) => (event.preventDefault(), main.current?.focus())}>
        {t('action.skip')}
      </a>
      <header class="top">
        <strong class="brand">
          <Mark /> <span>{t('title')}</span>
        </strong>
        <nav aria-label={t('page.menu')}>
          {pages.map(
            ([each, { title, icon }]) =>
              icon && (
                <a
                  key={each}
                  href={href([each])}
                  aria-current={each === name || (each === 'workspaces' && name === 'groups') ? 'page' : undefined}
                >
                  <Icon name={icon} /> {t(title)}
                </a>
              ),
          )}
        </nav>
        <SessionMenu />
      </header>
      <div class="away" role="status">
        {away && t('error.away_now')}
      </div>
      <main id="main" ref={main} tabIndex={-1} class={away ? 'stale' : undefined}>
        {(id === undefined ? page?.list?.({ path, query }) : page?.one?.(id)) ?? (
          <h1 class="empty">{t('page.unknown')}</h1>
        )}
      </main>
      <ChangeDialog />
      <KeysDialog />
      <ToastArea />
    </>
  );
}
