import { type MessageKey, t } from '../language/language.ts';
import { rich } from '../language/message.tsx';
import { base } from '../service.ts';
import { Dialog } from '../ui/dialog.tsx';
import { SecretDialog } from '../ui/secret-dialog.tsx';

/** An identity provider, with the words of its console, which are the same in every language here. */
interface Provider {
  name?: string;
  /** Where in its console both are entered, and what they are called there. */
  where?: string;
  address?: string;
  token?: string;
  /** What goes wrong if nobody knows it. */
  matters: MessageKey;
  guide: string;
}

export const PROVIDERS: Readonly<Record<string, Provider>> = {
  okta: {
    name: 'Okta',
    where: 'Provisioning › Configure API Integration',
    address: 'Base URL',
    token: 'OAuth Bearer Token',
    matters: 'connection.matters.okta',
    guide: 'https://help.okta.com/oie/en-us/content/topics/apps/apps_app_integration_wizard_scim.htm',
  },
  entra: {
    name: 'Entra ID',
    where: 'Provisioning › New configuration',
    address: 'Tenant URL',
    token: 'Secret token',
    matters: 'connection.matters.entra',
    guide: 'https://learn.microsoft.com/entra/identity/app-provisioning/use-scim-to-provision-users-and-groups',
  },
  keycloak: {
    name: 'Keycloak',
    where: 'User federation › Scim',
    address: 'SCIM 2.0 endpoint',
    token: 'Auth password/token',
    matters: 'connection.matters.keycloak',
    guide: 'https://www.keycloak.org/extensions.html',
  },
  another: { matters: 'connection.matters.another', guide: 'https://www.rfc-editor.org/rfc/rfc7644' },
};

const Step = ({ step }: { step: number }) => <p class="hint">{t('connection.step', { step })}</p>;

/** The first step. */
export function WhichProvider({ onChosen, onClose }: { onChosen: (provider: string) => void; onClose: () => void }) {
  return (
    <Dialog title={t('connection.new')} onClose={onClose}>
      <Step step={1} />
      <p>{t('connection.provider')}</p>
      <div class="providers">
        {Object.entries(PROVIDERS).map(([id, { name }]) => (
          <button key={id} type="button" onClick={() => onChosen(id)}>
            {name ?? t('connection.another')}
          </button>
        ))}
      </div>
    </Dialog>
  );
}

/** The second step is the form. */
export const NameAndWorkspace = () => <Step step={2} />;

/** The third step, and a new token of a connection, of whose provider nothing is known. */
export function ConnectionToken({
  secret,
  isNew,
  choice,
  onClose,
}: {
  secret: string;
  isNew: boolean;
  choice: string;
  onClose: () => void;
}) {
  const provider = PROVIDERS[choice];
  return (
    <SecretDialog
      title={t(isNew ? 'connection.made' : 'connection.rotated')}
      label={provider?.token ?? t('connection.token')}
      secret={secret}
      also={{ label: provider?.address ?? t('connection.base_url'), value: `${base}/scim/v2` }}
      hint={
        <>
          {isNew && <Step step={3} />}
          {t('connection.token_hint')}{' '}
          {provider?.where && rich('connection.where', { where: <b lang="en">{provider.where}</b> })}
        </>
      }
      onClose={onClose}
    >
      {provider && (
        <div class="notice">
          <p>
            <b>{t(provider.matters)}</b>
          </p>
          <a href={provider.guide} target="_blank" rel="noreferrer">
            {t('connection.guide', { name: provider.name ?? 'SCIM' })}
          </a>
        </div>
      )}
    </SecretDialog>
  );
}
