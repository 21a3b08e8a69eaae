import type { LineError } from '@user-administration/client';
import { t } from '../language/language.ts';
import { SaveButton } from '../ui/save-button.tsx';
import { type ImportFile, rowsOf } from './import-file.ts';

/** The service names no more. */
const MOST = 100;

/** The lines for which the service has refused the file, with its reasons, which are in English. */
export function BadLines({ file, lines }: { file: ImportFile; lines: readonly LineError[] }) {
  const textOf = rowsOf(file);
  const rows = lines.map(({ line, message }) => [String(line), message, textOf(line)] as const);
  return (
    <>
      <div class="row">
        <h3>{t(lines.length < MOST ? 'import.bad' : 'import.bad_first', { number: lines.length })}</h3>
        <SaveButton
          label={t('import.save_bad')}
          name={`${file.name.replace(/\.\w+$/, '')}-errors`}
          head={['line', 'error', 'text']}
          rows={async function* () {
            yield rows;
          }}
        />
      </div>
      <table>
        <thead>
          <tr>
            <th>{t('import.line')}</th>
            <th>{t('import.error')}</th>
            <th>{t('import.text')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([line, message, text]) => (
            <tr key={line}>
              <td>{line}</td>
              <td lang="en" dir="ltr">
                {message}
              </td>
              <td>
                <bdi class="id">{text}</bdi>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
