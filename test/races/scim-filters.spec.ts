import { describeOnServer } from '../support/describe-on-server';
import { writeSmallDirectory } from '../support/small-directory';
import { type Provider, ScimApi } from '../scim/scim-api';
import { useReplicas } from './replicas';

describeOnServer('a filter of an identity provider', () => {
  const replicas = useReplicas();
  let okta: Provider;

  beforeAll(async () => {
    const [service] = replicas.both;
    await writeSmallDirectory(service);
    okta = await ScimApi.at(service).provider();
  });

  const search = (path: string, signal?: AbortSignal): Promise<Response> =>
    fetch(`${replicas.both[0].url}/scim/v2/${path}`, {
      headers: { authorization: `Bearer ${okta.token}` },
      ...(signal && { signal }),
    });

  it.each(['Users?filter=title+pr', 'Groups?filter=displayName+co+"x"'])(
    'ends with its request, and with nothing else: %s',
    async (path) => {
      const gate = await replicas.gate('LOCK scim_users, scim_groups IN ACCESS EXCLUSIVE MODE');
      const caller = new AbortController();
      const gone = search(path, caller.signal).catch((error: Error) => error.name);
      await gate.waitFor(1);
      const other = search(path);
      await gate.waitFor(2);
      caller.abort();
      expect(await gone).toBe('AbortError');
      await gate.waitFor(1);
      await gate.open();
      expect((await other).status).toBe(200);
      // The connections of both serve again.
      expect(await Promise.all([search(path), search(path)].map(async (answer) => (await answer).status))).toEqual([
        200, 200,
      ]);
      // The statement that was cancelled.
      expect(replicas.takeFailures()).toEqual(['57014']);
    },
  );
});
