import { RecordTrial } from './record-trial';

const trial = RecordTrial.forEachTest();

const records = [
  ['/api/users/ben', { displayName: 'B' }],
  ['/api/workspaces/atlas', { name: 'B' }],
  ['/api/groups/atlas-editors', { name: 'B' }],
  ['/api/permissions/content.edit', { description: 'B' }],
] as const;
/** What proxies that compress make of a validator. */
const compressed = (etag: string): string[] => [
  `W/${etag}`,
  ...['-gzip', '-br', '-zstd', ';gzip', '--gzip'].flatMap((suffix) => {
    const tag = `${etag.slice(0, -1)}${suffix}"`;
    return [tag, `W/${tag}`];
  }),
];
const REFUSED = { status: 412, body: { status: 412, message: 'This record has been changed in the meantime.' } };

describe('If-Match', () => {
  it.each(records)('on %s lets through the version that it names, or any', async (path, body) => {
    const etag = (await trial.send('GET', path)).headers.get('etag') ?? '';
    const first = await trial.patch(path, body, { 'if-match': `"other,one",\t${etag} , W/"weak"` });
    expect(first.status).toBe(200);
    const current = first.headers.get('etag') ?? '';
    const malformed = [`w/${current}`, `${current} "other"`, `etag=${current}`, `"${current}"`, 'nonsense', ''];
    for (const stale of [etag, ...compressed(etag), '"other"', `${current.slice(0, -1)}-xz"`, ...malformed]) {
      const headers = { 'if-match': stale };
      const refused = { status: 412, message: 'This record has been changed in the meantime.' };
      expect(await trial.patch(path, {}, headers)).toMatchObject({ status: 412, body: refused });
      expect(await trial.send('DELETE', path, { headers })).toMatchObject({ status: 412, body: refused });
    }
    for (const same of ['*', ...compressed(current), `"other", ${compressed(current)[1]}`]) {
      expect((await trial.patch(path, {}, { 'if-match': same })).status).toBe(200);
    }
    const headers = { 'if-match': current };
    expect((await trial.send('DELETE', path, { headers })).status).toBe(204);
    expect((await trial.patch(path, body, { 'if-match': '*' })).status).toBe(404);
  });

  it.each(records)('on a GET of %s is judged before If-None-Match', async (path) => {
    const etag = (await trial.send('GET', path)).headers.get('etag') ?? '';
    const refused = { status: 412, message: 'This record has been changed in the meantime.' };
    for (const stale of ['"other"', '']) {
      const headers = { 'if-match': stale, 'if-none-match': etag };
      expect(await trial.send('GET', path, { headers })).toMatchObject({ status: 412, body: refused });
      expect((await trial.send('HEAD', path, { headers })).status).toBe(412);
    }
    for (const current of [etag, '*', `"other", ${etag}`, ...compressed(etag)]) {
      const shown = await trial.send('GET', path, { headers: { 'if-match': current } });
      expect(shown.status).toBe(200);
      expect(shown.headers.get('cache-control')).toBe('no-store, no-transform');
      const held = { 'if-none-match': `"other",\t${current === '*' ? etag : current}` };
      expect((await trial.send('GET', path, { headers: held })).status).toBe(304);
      const both = { 'if-match': current, 'if-none-match': etag };
      expect((await trial.send('GET', path, { headers: both })).status).toBe(304);
    }
    expect((await trial.send('GET', `${path}-not`, { headers: { 'if-match': '"other"' } })).status).toBe(404);
  });

  it('notices a change of the permissions', async () => {
    const etag = (await trial.send('GET', '/api/users/dee')).headers.get('etag') ?? '';
    await trial.patch('/api/users/dee', { permissions: ['content.read'] });
    expect((await trial.patch('/api/users/dee', { displayName: 'D' }, { 'if-match': etag })).status).toBe(412);
  });
});

describe('If-None-Match', () => {
  it.each(records)('on %s refuses a change of a version that it names, or of any', async (path, body) => {
    const etag = (await trial.send('GET', path)).headers.get('etag') ?? '';
    const malformed = ['', ',', 'nonsense', etag.slice(1, -1), `w/${etag}`, `"other" "one"`, `*, "other"`, `"other`];
    for (const held of [
      etag,
      ...compressed(etag),
      '*',
      ` * `,
      `"other", ${etag}`,
      `"a,b",,W/${etag} ,`,
      ...malformed,
    ]) {
      const headers = { 'if-none-match': held, 'if-match': etag };
      expect(await trial.patch(path, body, headers)).toMatchObject(REFUSED);
      expect(await trial.send('DELETE', path, { headers })).toMatchObject(REFUSED);
    }
    expect((await trial.send('GET', path)).headers.get('etag')).toBe(etag);
    expect(await trial.told()).toEqual([]);

    const others = { 'if-none-match': `"other", W/"one",\t"${etag.slice(1, -1)}x" , "${etag.slice(2)}` };
    expect(await trial.patch(path, body, { ...others, 'if-match': '"other"' })).toMatchObject(REFUSED);
    expect((await trial.patch(path, body, others)).status).toBe(200);
    expect((await trial.send('DELETE', path, { headers: { 'if-none-match': etag } })).status).toBe(204);
    expect((await trial.patch(path, body, { 'if-none-match': '*' })).status).toBe(404);
    expect((await trial.send('DELETE', path, { headers: { 'if-none-match': '*' } })).status).toBe(404);
  });

  it.each([
    ['users', { id: 'new' }],
    ['users/workspace-assign', { userIds: ['dee'], workspaces: ['atlas'] }],
    ['users/workspace-unassign', { userIds: ['dee'], workspaces: ['atlas'] }],
    ['users/status-assign', { userIds: ['dee'], status: 'inactive' }],
    ['users/status-tokens', { id: 'dee', status: 'inactive' }],
  ])('and If-Match are ignored by POST %s, whose path names no record', async (path, body) => {
    const headers = { 'if-none-match': '*', 'if-match': '"other"' };
    expect([200, 201]).toContain((await trial.send('POST', `/api/${path}`, { body, headers })).status);
  });
});
