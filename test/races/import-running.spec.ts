import { ADVISORY_LOCKS } from '../../src/database/advisory-locks';
import { ask } from '../support/ask';
import { describeOnServer } from '../support/describe-on-server';
import { useTestService } from '../support/test-service';
import { Gate } from './gate';

describeOnServer('POST /api/imports', () => {
  const service = useTestService();

  const send = (query = '') =>
    ask(`${service.url}/api/imports${query}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.serviceToken()}`, 'content-type': 'application/x-ndjson' },
      body: '{"user":{"id":"ben"}}\n',
    });

  it('does not wait for another import, also not for one of the command line', async () => {
    const gate = await Gate.close(service.config.databaseUrl as string, 'SELECT pg_advisory_xact_lock($1)', [
      ADVISORY_LOCKS.importing,
    ]);
    for (const query of ['', '?dryRun=true']) {
      const { status, text } = await send(query);
      expect([status, text]).toEqual([409, '{"status":409,"message":"Another import is running."}']);
    }
    await gate.commit();
    expect((await send()).status).toBe(200);
  });

  it('does not take ends that are being carried out for another import', async () => {
    const gate = await Gate.close(service.config.databaseUrl as string, 'SELECT pg_advisory_xact_lock($1)', [
      ADVISORY_LOCKS.expiry,
    ]);
    expect((await send()).status).toBe(200);
    await gate.commit();
  });

  it('waits for a renaming', async () => {
    const gate = await Gate.close(service.config.databaseUrl as string, 'SELECT pg_advisory_xact_lock_shared($1)', [
      ADVISORY_LOCKS.imports,
    ]);
    const sent = send();
    await gate.waitFor(1);
    await gate.commit();
    expect((await sent).status).toBe(200);
  });
});
