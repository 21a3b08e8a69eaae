import { ADVISORY_LOCKS } from '../../src/database/advisory-locks';
import { IMPORT_LOCK } from '../../src/plugins/transfer/import-lock';
import { ask } from '../support/ask';
import { describeOnServer } from '../support/describe-on-server';
import { useTestService } from '../support/test-service';
import { Gate } from './gate';

const BEN = '{"user":{"id":"ben","displayName":"Ben"}}\n';

describeOnServer('POST /api/imports', () => {
  const service = useTestService({ environment: { DATABASE_LOCK_TIMEOUT_MS: '1000' } });
  const close = (statement: string, parameters: unknown[] = []) =>
    Gate.close(service.config.databaseUrl as string, statement, parameters);
  const holdBen = () => close(`SELECT FROM users WHERE id = 'ben' FOR UPDATE`);

  beforeEach(async () => {
    await service.directory.clear();
    await service.directory.user('ben');
    await service.directory.user('cyd');
  });

  const send = (query = '', body = BEN, signal?: AbortSignal) =>
    ask(`${service.url}/api/imports${query}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.serviceToken()}`, 'content-type': 'application/x-ndjson' },
      body,
      signal,
    });
  const names = async () =>
    (
      await service.dataSource.query<{ name: string | null }[]>('SELECT display_name AS name FROM users ORDER BY id')
    ).map(({ name }) => name);

  it('does not wait for another import, also not for one of the command line, and says when to try again', async () => {
    const gate = await close('SELECT pg_advisory_xact_lock($1), pg_advisory_xact_lock($2)', [
      IMPORT_LOCK,
      ADVISORY_LOCKS.renames,
    ]);
    const { status, text, headers } = await send();
    expect([status, text]).toEqual([409, '{"status":409,"message":"Another import is running."}']);
    expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    // A dry run waits for none.
    expect((await send('?dryRun=true')).status).toBe(200);
    await gate.commit();
    expect((await send()).status).toBe(200);
  });

  it('does not take ends that are being carried out for another import', async () => {
    const gate = await close('SELECT pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.expiry]);
    expect((await send()).status).toBe(200);
    await gate.commit();
  });

  it('waits for a renaming', async () => {
    const gate = await close('SELECT pg_advisory_xact_lock_shared($1)', [ADVISORY_LOCKS.renames]);
    const sent = send();
    await gate.waitFor(1);
    await gate.commit();
    expect((await sent).status).toBe(200);
  });

  it.each(['', '?dryRun=true'])(
    '%s waits for a record no longer than any request, and then holds nothing',
    async (query) => {
      const gate = await holdBen();
      const { status, text, headers } = await send(query);
      expect([status, text]).toEqual([
        503,
        '{"status":503,"message":"The service is temporarily unavailable. Please try again shortly."}',
      ]);
      expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
      expect((await send('', '{"user":{"id":"cyd","displayName":"Cyd"}}\n')).status).toBe(200);
      await gate.commit();
      expect(await names()).toEqual([null, 'Cyd']);
      expect((await send()).status).toBe(200);
    },
  );
});

describeOnServer('POST /api/imports whose client goes', () => {
  const service = useTestService();

  it('ends, holds nothing and changes nothing, while it waits for a record', async () => {
    await service.directory.user('ben');
    await service.directory.user('cyd');
    const held = await Gate.close(
      service.config.databaseUrl as string,
      `SELECT FROM users WHERE id = 'cyd' FOR UPDATE`,
      [],
    );
    const client = new AbortController();
    const send = (body: string, signal?: AbortSignal) =>
      ask(`${service.url}/api/imports`, {
        method: 'POST',
        headers: { authorization: `Bearer ${service.serviceToken()}`, 'content-type': 'application/x-ndjson' },
        body,
        signal,
      });
    const sent = send(`${BEN}{"user":{"id":"cyd","displayName":"Cyd"}}\n`, client.signal);
    const gone = expect(sent).rejects.toThrow();
    await held.waitFor(1);
    client.abort();
    await gone;
    await held.waitFor(0);
    // The record of ben and the turn of imports are free again.
    expect((await send('{"user":{"id":"ben","displayName":"Another"}}\n')).status).toBe(200);
    await held.commit();
    const rows = await service.dataSource.query('SELECT id, display_name AS name FROM users ORDER BY id');
    expect(rows).toEqual([
      { id: 'ben', name: 'Another' },
      { id: 'cyd', name: null },
    ]);
  });
});
