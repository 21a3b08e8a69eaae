import type { UserRecord } from '@user-administration/client';
import { useState } from 'preact/hooks';
import { t } from '../language/language.ts';
import { rich } from '../language/message.tsx';
import { Time } from '../language/time.tsx';
import { nameOf } from '../names.ts';
import { STATUS } from '../records/fields.ts';
import { base, service } from '../service.ts';
import { keyed, useChange } from '../make-once.ts';
import { type Field, REASON, reasonOf, type Values } from '../ui/fields.ts';
import { FormDialog, useForm } from '../ui/form-dialog.tsx';
import { SecretDialog } from '../ui/secret-dialog.tsx';

const LIFETIME: Field = {
  name: 'expiresIn',
  label: 'link.lifetime',
  kind: 'choice',
  options: { '900': 'link.15_minutes', '86400': 'link.1_day', '604800': 'link.7_days' },
};
const FIELDS: readonly Field[] = [{ ...STATUS, label: 'link.status' }, LIFETIME, REASON];

interface Made {
  status: UserRecord['status'];
  token: string;
  expiresAt: string;
}

/** Makes a token that sets the status of a person once, and shows it once. */
export function StatusToken({ person, onClose }: { person: UserRecord; onClose: () => void }) {
  const [made, setMade] = useState<Made | undefined>(undefined);
  const { id } = person;
  const name = nameOf(person);
  const form = useForm({ status: person.status === 'active' ? 'inactive' : 'active', expiresIn: '900', reason: '' });
  const change = useChange(
    async (values: Values, key) => {
      const status = values.status as UserRecord['status'];
      const body = { id, status, expiresIn: Number(values.expiresIn), reason: reasonOf(values) };
      return { ...(await service.statusTokens.create(body, keyed(key))), status };
    },
    (made: Made) => setMade(made),
  );
  if (made)
    return (
      <SecretDialog
        title={t('link.title', { name })}
        label={t('link.token')}
        secret={made.token}
        hint={rich(`link.made.${made.status}`, { name, until: <Time at={made.expiresAt} exact /> })}
        onClose={onClose}
      >
        <p>{t('link.how')}</p>
        <pre class="call" tabIndex={0} dir="ltr">
          {`POST ${base}/api/users/manage-status\n${JSON.stringify({ id, token: '…' }, null, 2)}`}
        </pre>
      </SecretDialog>
    );
  return (
    <FormDialog
      title={t('link.title', { name })}
      explain={<p>{t('link.what')}</p>}
      fields={FIELDS}
      action={t('link.submit')}
      onSubmit={change.run}
      {...{ form, change, onClose }}
    />
  );
}
