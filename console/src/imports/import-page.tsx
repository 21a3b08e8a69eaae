import { useEffect, useRef, useState } from 'preact/hooks';
import type { ImportAnswer } from '@user-administration/client';
import { t } from '../language/language.ts';
import { href } from '../routing/address.ts';
import { isServiceError } from '../service-errors.ts';
import { lastMade } from '../changes/undo-last.ts';
import { keyed, useChange } from '../make-once.ts';
import { FieldInput } from '../ui/field-input.tsx';
import { type Field, REASON, reasonExcess, reasonOf } from '../ui/fields.ts';
import { useForm } from '../ui/form-dialog.tsx';
import { ErrorNotice, PageError } from '../ui/notice.tsx';
import { say } from '../ui/toast.tsx';
import { BadLines } from './bad-lines.tsx';
import { ChooseFile } from './choose-file.tsx';
import { droppedFiles } from './dropped-file.ts';
import { type ImportFile, type Missing, readFile, sendFile } from './import-file.ts';
import { changesSomething, Outcome, Suspended } from './outcome.tsx';
import { usePreview } from './preview.ts';
import { Progress } from './progress.tsx';

/** Imports a file: one chooses it, sees what it would do, and then does that. */
export function ImportPage() {
  const [file, setFile] = useState<ImportFile>();
  const [error, setError] = useState<unknown>();
  const choose = (chosen: readonly File[]) => {
    setError(undefined);
    readFile(chosen).then(setFile, setError);
  };
  const dropped = droppedFiles.use();
  useEffect(() => {
    if (!dropped) return;
    droppedFiles.set(undefined);
    choose(dropped);
  }, [dropped]);
  return (
    <>
      <h1>{t('page.import')}</h1>
      <ChooseFile onChoose={choose} />
      <ErrorNotice error={error} />
      {file && !error && <ChosenFile key={file.id} file={file} />}
    </>
  );
}

const FIELDS: readonly Field[] = [
  { name: 'deactivateMissing', label: 'import.missing', kind: 'check', hint: 'import.missing_hint' },
  { name: 'atMost', label: 'import.at_most', kind: 'text', isCode: true, hint: 'import.at_most_hint' },
];

/** Only the number of people is typed. */
const isQueryInvalid = (error: unknown): boolean => isServiceError(error) && error.code === 'query.invalid';

function ChosenFile({ file }: { file: ImportFile }) {
  const form = useForm({ deactivateMissing: false, atMost: '10%', reason: '' });
  const missing = {
    deactivateMissing: form.values.deactivateMissing === true,
    atMost: String(form.values.atMost),
  };
  const preview = usePreview(file, missing);
  const [answer, setAnswer] = useState<ImportAnswer>();
  const change = useChange(
    ({ reason, ...wanted }: Missing & { reason?: string }, id) => sendFile(file, wanted, { ...keyed(id), reason }),
    (answer, id) => {
      setAnswer(answer);
      lastMade.id = id;
      say(answer.message, undefined, file.name);
    },
  );
  const wish = { ...missing, reason: reasonOf(form.values) };
  const send = () => change.run(wish, [file.id, wish]);
  const error = change.error ?? (preview.isCurrent ? preview.error : undefined);
  const lines = isServiceError(error) ? error.lines : [];
  const would = preview.isCurrent ? preview.result : undefined;
  const suspended = would?.deactivated ?? 0;
  const isReady = !would || (changesSomething(would) && reasonExcess(form.values.reason) <= 0);
  return (
    <section class="card" aria-label={file.name}>
      <h2>
        <bdi>{file.name}</bdi>
      </h2>
      {answer ? (
        <Done answer={answer} />
      ) : (
        <>
          <ErrorNotice error={isQueryInvalid(error) ? new PageError('invalid.at_most') : error} />
          {lines.length > 0 && <BadLines file={file} lines={lines} />}
          <div aria-live="polite">{would && <Outcome result={would} />}</div>
          {preview.isBusy && <Progress words="import.looking" />}
          {change.isBusy && <Progress words="import.importing" />}
          <form onSubmit={(event) => (event.preventDefault(), would ? send() : preview.look())}>
            <fieldset disabled={preview.isBusy || change.isBusy}>
              {[...FIELDS.slice(0, missing.deactivateMissing ? 2 : 1), ...(would ? [REASON] : [])].map((field) => (
                <FieldInput
                  key={field.name}
                  field={field}
                  value={form.values[field.name] ?? ''}
                  fault={undefined}
                  isFirst={false}
                  onChange={(value) => (form.set(field.name, value), change.forget())}
                />
              ))}
              {would && suspended > 0 && (
                <Suspended result={would} most={missing.deactivateMissing ? missing.atMost : undefined} />
              )}
              {would && changesSomething(would) && <p class="hint">{t('import.undo')}</p>}
              <button class={suspended > 0 ? 'primary destructive' : 'primary'} disabled={!isReady}>
                {change.isOpen && would
                  ? t('action.try_again')
                  : suspended > 0
                    ? t('import.submit_suspend', { count: suspended })
                    : t(would ? 'import.submit' : 'import.look')}
              </button>
            </fieldset>
          </form>
        </>
      )}
    </section>
  );
}

/** What was done. The button that had the focus is gone. */
function Done({ answer: { message, result } }: { answer: ImportAnswer }) {
  const said = useRef<HTMLParagraphElement>(null);
  useEffect(() => said.current?.focus(), []);
  return (
    <>
      <p ref={said} tabIndex={-1}>
        {message}
      </p>
      <Outcome result={result} />
      <a href={href(['history'])}>{t('card.changes_all')}</a>
    </>
  );
}
