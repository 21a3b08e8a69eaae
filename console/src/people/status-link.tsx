import type { UserRecord } from '@user-administration/client';
import { useState } from 'preact/hooks';
import { directoryChanged } from '../changed.ts';
import { t } from '../language/language.ts';
import { nameOf } from '../names.ts';
import { rich } from '../language/message.tsx';
import { Time } from '../language/time.tsx';
import { type Field, REASON, STATUS, type Values } from '../records/fields.ts';
import { newId } from '../ui/new-id.ts';
import { RecordForm } from '../records/record-form.tsx';
import { base, service } from '../service.ts';
import { Dialog } from '../ui/dialog.tsx';

const LIFETIME: Field = {
  name: 'expiresIn',
  label: 'link.lifetime',
  kind: 'choice',
  options: { '900': 'link.15_minutes', '86400': 'link.1_day', '604800': 'link.7_days' },
};
const FIELDS = [{ ...STATUS, label: 'link.status' } as const, LIFETIME, REASON];

interface Made {
  status: UserRecord['status'];
  token: string;
  expiresAt: string;
}

/** Makes a token that sets the status of a person once, and shows it once. */
export function StatusLink({ person, onClose }: { person: UserRecord; onClose: () => void }) {
  const [idempotencyKey] = useState(newId);
  const [made, setMade] = useState<Made | undefined>(undefined);
  const name = nameOf(person);
  const make = async (values: Values) => {
    const status = values.status as UserRecord['status'];
    const body = {
      id: person.id,
      status,
      expiresIn: Number(values.expiresIn),
      reason: (values.reason as string) || null,
    };
    const { token, expiresAt } = await service.statusTokens.create(body, { idempotencyKey });
    setMade({ status, token, expiresAt });
    directoryChanged();
  };
  if (made) return <MadeLink id={person.id} name={name} made={made} onClose={onClose} />;
  return (
    <RecordForm
      title={t('link.title', { name })}
      explain={<p>{t('link.what')}</p>}
      fields={FIELDS}
      initial={{ status: person.status === 'active' ? 'inactive' : 'active', expiresIn: '900', reason: '' }}
      submit={t('link.submit')}
      save={make}
      onClose={onClose}
    />
  );
}

function MadeLink({ id, name, made, onClose }: { id: string; name: string; made: Made; onClose: () => void }) {
  const [isCopied, setCopied] = useState(false);
  const { status, token, expiresAt } = made;
  const copy = () => void navigator.clipboard.writeText(token).then(() => setCopied(true));
  const call = `POST ${base}/api/users/manage-status\n${JSON.stringify({ id, token: '…' }, null, 2)}`;
  return (
    <Dialog title={t('link.title', { name })} onClose={onClose}>
      <p>{rich(`link.made.${status}`, { name, until: <Time at={expiresAt} exact /> })}</p>
      <label>
        {t('link.token')}
        <textarea
          class="token"
          readOnly
          rows={5}
          value={token}
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
      </label>
      <div class="row">
        {/* There is no clipboard on a page that was loaded by plain http. */}
        {'clipboard' in navigator && (
          <button type="button" onClick={copy}>
            {t('action.copy')}
          </button>
        )}
        <span role="status">{isCopied && t('action.copied')}</span>
      </div>
      <p>{t('link.how')}</p>
      <pre class="call" tabIndex={0} dir="ltr">
        {call}
      </pre>
      <footer>
        <button type="button" class="primary" onClick={onClose}>
          {t('action.close')}
        </button>
      </footer>
    </Dialog>
  );
}
