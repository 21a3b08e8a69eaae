import { describeOnServer } from '../support/describe-on-server';
import { openIcuDatabase } from '../support/icu-database';
import { startTestService } from '../support/test-service';
import { findWorkspaces } from './find-workspaces';

describeOnServer('a database whose text follows the rules of ICU', () => {
  // ICU converts İ to two characters, i and a dot above. The rules of the operating system convert it to i.
  it('a search finds text whatever the case', async () => {
    const database = await openIcuDatabase();
    if (!database) return;
    try {
      const service = await startTestService({ database });
      try {
        for (const workspace of ['İzmir ẞ', 'Γιώργος']) await service.directory.workspace(workspace);
        const find = async (search: string) => (await findWorkspaces(service, search)).map(({ name }) => name);
        for (const search of ['IZMIR', 'izmir ß', 'İZMİR', 'İzmir']) expect(await find(search)).toEqual(['İzmir ẞ']);
        expect(await find('ΓΙΏΡΓΟΣ')).toEqual(['Γιώργος']);
      } finally {
        await service.close();
      }
    } finally {
      await database.close();
    }
  });
});
