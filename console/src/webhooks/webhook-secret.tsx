import { t } from '../language/language.ts';
import { SecretDialog } from '../ui/secret-dialog.tsx';

/** The secret of a webhook, this once. */
export function WebhookSecret({ secret, isNew, onClose }: { secret: string; isNew: boolean; onClose: () => void }) {
  return (
    <SecretDialog
      title={t(isNew ? 'webhook.made' : 'webhook.rotated')}
      label={t('webhook.secret')}
      secret={secret}
      hint={t(isNew ? 'webhook.secret_hint' : 'webhook.rotated_hint')}
      onClose={onClose}
    />
  );
}
