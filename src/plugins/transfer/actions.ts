import type { RecordCounts } from '../../contract/directory';
import { PluginActions } from '../plugin';

/** The facts of the actions of files. */
export type FileFacts = {
  /** The first entry of an import that changed anything, only in `after`. It has the reason of all its entries. */
  'directory.imported': {
    /** The name of the file; null if it has none. */
    name: string | null;
    created: RecordCounts;
    changed: RecordCounts;
    /** Users, who are not counted as changed as well. */
    deactivated: number;
  };
};

export const FILE_ACTIONS = new PluginActions<FileFacts>({
  'directory.imported': {
    summary: 'A file was imported',
    isUndoneInPart: true,
    event: {
      before: null,
      after: {
        name: 'people.csv',
        created: { users: 3, workspaces: 0, groups: 0, permissions: 0 },
        changed: { users: 12, workspaces: 0, groups: 0, permissions: 0 },
        deactivated: 1,
      },
    },
  },
});
