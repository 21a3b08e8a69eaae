import type { VNode } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { entryOfRequest } from '../entry-of-request.ts';
import { after, textOf } from '../history/facts.ts';
import { t } from '../language/language.ts';
import { rich } from '../language/message.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { useLoaded } from '../ui/load.ts';
import { ErrorNotice, Skeleton } from '../ui/notice.tsx';
import { ChangeSetup, CreateSetup, DeleteSetup, RotateSecret, type SetupKind } from './setup-forms.tsx';

const TITLES = { change: 'edit', rotate: 'rotate', delete: 'delete' } as const;

type Doing =
  | { kind: 'choose' }
  | { kind: 'create'; choice: string }
  | { kind: keyof typeof TITLES; id: string }
  | { kind: 'secret'; secret: string; isNew: boolean; choice: string };

/** What is being done with connections or webhooks: how to begin it, and the dialogs that it takes. */
export function useSetup<Stored>(
  kind: SetupKind<Stored>,
  onDeleted?: () => void,
): { begin: (act: keyof typeof TITLES, id: string) => void; create: VNode; dialogs: VNode } {
  const [doing, setDoing] = useState<Doing>();
  const [tried, setTried] = useState<string[]>([]);
  const close = () => setDoing(undefined);
  const begin = (act: keyof typeof TITLES, id: string) => setDoing({ kind: act, id });
  const create = (choice: string) => setDoing({ kind: 'create', choice });
  const show = (secret: string, isNew: boolean, choice = '') => setDoing({ kind: 'secret', secret, isNew, choice });
  return {
    begin,
    create: (
      <button
        type="button"
        class="primary"
        onClick={() => (kind.FirstStep ? setDoing({ kind: 'choose' }) : create(''))}
      >
        {t(`${kind.messages}.new`)}
      </button>
    ),
    dialogs: (
      <>
        {tried.map((id) => (
          <Lost key={id} kind={kind} request={id} onRotate={(stored) => (setTried([]), begin('rotate', stored))} />
        ))}
        {doing?.kind === 'choose' && kind.FirstStep && <kind.FirstStep onChosen={create} onClose={close} />}
        {doing?.kind === 'create' && (
          <CreateSetup
            kind={kind}
            choice={doing.choice}
            onClose={(requests) => (close(), setTried(requests))}
            onDone={(secret) => show(secret, true, doing.choice)}
          />
        )}
        {doing && 'id' in doing && (
          <Anew
            key={doing.kind + doing.id}
            {...{ kind, onDeleted }}
            id={doing.id}
            act={doing.kind}
            onClose={close}
            onRotated={(secret) => show(secret, false)}
          />
        )}
        {doing?.kind === 'secret' && <kind.Secret {...doing} onClose={close} />}
      </>
    ),
  };
}

/** Loads what is to be changed: its version is that of what the form shows. */
function Anew<Stored>({
  kind,
  id,
  act,
  onDeleted,
  onRotated,
  onClose,
}: {
  kind: SetupKind<Stored>;
  id: string;
  act: keyof typeof TITLES;
  onDeleted: (() => void) | undefined;
  onRotated: (secret: string) => void;
  onClose: () => void;
}) {
  const { value, error, isSlow, reload } = useLoaded((signal) => kind.get(id, { signal }), [id]);
  // Once the form is open, it keeps the version that it shows until somebody asks for the present one.
  const shown = useRef(value);
  const isAsked = useRef(false);
  if (isAsked.current || !shown.current) shown.current = value;
  const stored = shown.current;
  if (stored) {
    const onOutdated = () => ((isAsked.current = true), reload());
    const asked = { kind, stored, onClose, onOutdated };
    if (act === 'change') return <ChangeSetup key={stored.etag} {...asked} />;
    if (act === 'rotate') return <RotateSecret key={stored.etag} {...asked} onDone={onRotated} />;
    return <DeleteSetup key={stored.etag} {...asked} onDeleted={onDeleted} />;
  }
  return (
    <Dialog title={t(`${kind.messages}.${TITLES[act]}`)} onClose={onClose}>
      {error === undefined ? <Skeleton isSlow={isSlow} /> : <ErrorNotice error={error} retry={reload} />}
    </Dialog>
  );
}

/** One was made although no answer came: nobody has its secret, so it needs another one. */
function Lost<Stored>({
  kind: { messages, nameOf, get },
  request,
  onRotate,
}: {
  kind: SetupKind<Stored>;
  request: string;
  onRotate: (id: string) => void;
}) {
  const { value, error, reload } = useLoaded(
    async (signal) => {
      const entry = await entryOfRequest(request);
      const id = entry && textOf(after(entry), messages);
      return id ? get(id, { signal }) : undefined;
    },
    [request],
  );
  if (!value) return <ErrorNotice error={error} retry={reload} />;
  return (
    <div class="notice error" role="alert">
      <p>{rich(`${messages}.lost`, { name: <b>{nameOf(value)}</b> })}</p>
      <button type="button" onClick={() => onRotate(value.id)}>
        {t(`${messages}.rotate`)}
      </button>
    </div>
  );
}
