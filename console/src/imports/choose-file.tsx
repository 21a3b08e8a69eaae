import { t } from '../language/language.ts';
import { firstOf } from '../places/find-places.ts';
import { PERSON_TEXTS } from '../records/fields.ts';
import { service } from '../service.ts';
import { SaveButton } from '../ui/save-button.tsx';

const TEXTS = PERSON_TEXTS.map(({ name }) => name);
const COLUMNS = ['id', ...TEXTS, 'displayName', 'status', 'activeUntil', 'permissions', 'workspaces', 'groups'];

/** Where one drops a file or chooses one, and a table to begin with. */
export function ChooseFile({ onChoose }: { onChoose: (files: readonly File[]) => void }) {
  return (
    <section class="card">
      <p>{t('import.about')}</p>
      <label class="drop">
        {t('import.choose')}
        <input
          type="file"
          class="visually-hidden"
          accept=".csv,.ndjson,.jsonl,.txt"
          onChange={({ currentTarget }) => {
            const files = [...(currentTarget.files ?? [])];
            // The same file can be chosen again, after it was corrected.
            currentTarget.value = '';
            if (files.length > 0) onChoose(files);
          }}
        />
      </label>
      <p class="hint">{t('import.columns')}</p>
      <SaveButton label={t('import.template')} name="people" head={COLUMNS} rows={example} />
    </section>
  );
}

/** A person who can be imported here: in a group that there is. */
async function* example(signal: AbortSignal) {
  const [group] = await firstOf(service.groups.list({ limit: 1 }, { signal }));
  const erin: Record<string, string | undefined> = {
    id: 'erin',
    email: 'erin@example.com',
    displayName: 'Erin Example',
    status: 'active',
    activeUntil: `${new Date().getFullYear() + 1}-12-31T23:59:59Z`,
    workspaces: group?.workspace,
    groups: group?.id,
  };
  yield [COLUMNS.map((name) => erin[name] ?? '')];
}
