import { LIMITS } from '../../contract/limits';
import { writableFields } from '../../contract/record-fields';

const ids = `be empty or hold ids of 1 to ${LIMITS.identifier} characters, separated by |`;

/** What a cell of each column must do, in words of tables: who fills one knows no lists and no null. */
export const CELLS: Readonly<Record<string, string>> = {
  id: `hold an id of 1 to ${LIMITS.identifier} characters`,
  ...Object.fromEntries(
    writableFields('user').map(([name, { nullable, inFiles }]) => [
      name,
      `${nullable ? 'be empty or ' : ''}${inFiles.cell}`,
    ]),
  ),
  permissions: ids,
  workspaces: ids,
  groups: ids,
};

/** What a table of users can have. */
export const COLUMNS = Object.keys(CELLS);
