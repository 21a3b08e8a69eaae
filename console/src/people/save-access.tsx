import type { AccessFilter } from '@user-administration/client';
import { ACCESS_COLUMNS, accessCells } from '../../../src/contract/access.ts';
import { t } from '../language/language.ts';
import { service } from '../service.ts';
import { SaveButton } from '../ui/save-button.tsx';

/** Lines from one count to the next. */
const PART = 1_000;
/** The service can take minutes before the first line where its database has one session. */
const PATIENCE = { timeoutMs: 600_000, deadlineMs: 600_000 };

/** Saves the register of the people who match: a line for each source of what each of them has. */
export function SaveAccess({ of }: { of: AccessFilter }) {
  return (
    <SaveButton
      label={t('people.save_access')}
      name="access"
      head={ACCESS_COLUMNS}
      rows={(signal) => rowsOf(of, signal)}
    />
  );
}

async function* rowsOf(of: AccessFilter, signal: AbortSignal) {
  let rows: ReturnType<typeof accessCells>[] = [];
  for await (const line of service.access(of, { signal, ...PATIENCE })) {
    rows.push(accessCells(line));
    if (rows.length < PART) continue;
    yield rows;
    rows = [];
  }
  yield rows;
}
