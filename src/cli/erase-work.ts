import { Statements } from '@user-administration/postgres';
import { type ErrorCode, ServiceError } from '../contract/errors';
import { Transactions } from '../database/transactions';
import { Journal } from '../journal/journal';
import type { Plugin } from '../plugins/plugin';
import { rulesOf } from '../plugins/plugins.module';
import { DeleteUserService } from '../users/delete-user.service';
import { withDirectory } from './with-directory';

/** The actor in the journal. A user of the command has access to the database, but no name in the directory. */
const ERASURE_ACT = { actor: { kind: 'system', id: 'user-admin erase' } } as const;

const REFUSALS: Partial<Record<ErrorCode, string>> = {
  'user.unknown': 'There is no such user, and nobody who has gone ever had this id. Nothing was changed.',
  'directory.last_administrator': 'At least one active administrator must remain. Nothing was changed.',
};

const NO_FORMER = 'Nobody who has gone ever had this id. Nothing was changed.';

export async function erase(plugins: readonly Plugin[], id: string, whom: true | 'former'): Promise<void> {
  await withDirectory(plugins, async (dataSource) => {
    const statements = new Statements(dataSource);
    const transactions = new Transactions(dataSource, statements, undefined, rulesOf(plugins));
    const deletion = new DeleteUserService(transactions, statements, new Journal());
    await deletion.execute(id, ERASURE_ACT, { erase: whom }).catch((error: unknown) => {
      if (!(error instanceof ServiceError)) throw error;
      if (whom === 'former' && error.code === 'user.unknown') throw new Error(NO_FORMER);
      const explained = REFUSALS[error.code];
      throw explained === undefined ? error : new Error(explained);
    });
  });
  process.stderr.write(whom === 'former' ? 'The former users were erased.\n' : 'The user was erased.\n');
}
