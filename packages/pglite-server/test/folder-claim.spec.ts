import { once } from 'node:events';
import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FolderClaim } from '../src/folder-claim';

const LONG_AGO = new Date(Date.now() - 3_600_000);

let folder: string;
let server: Server | undefined;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'claims-'));
});
afterEach(async () => {
  await new Promise((resolve) => server?.close(resolve) ?? resolve(undefined));
  await rm(folder, { recursive: true, force: true });
});

/** A claim that another process sees when the clock was set forward after it was prepared. */
async function aged(): Promise<FolderClaim> {
  const claim = await FolderClaim.prepare(folder);
  await utimes(claim.folder, LONG_AGO, LONG_AGO);
  return claim;
}

describe('a claim that has not been published yet', () => {
  it('is kept if its process listens already, whatever the clock says', async () => {
    const claim = await FolderClaim.prepare(folder);
    server = createServer((socket) => socket.end());
    await once(server.listen(claim.socketPath), 'listening');
    await utimes(claim.folder, LONG_AGO, LONG_AGO);
    const [seen] = await FolderClaim.all(folder);
    expect(await seen?.livingClaimant()).toBeUndefined();
    const claimant = { pid: process.pid, password: '', holds: true };
    await claim.publish(claimant);
    expect(await seen?.livingClaimant()).toEqual(claimant);
  });

  it('is removed if it is old and empty', async () => {
    await (await aged()).livingClaimant();
    expect(await readdir(folder)).toEqual([]);
  });

  it('is kept if it is new, or seems to come from the future', async () => {
    await (await FolderClaim.prepare(folder)).livingClaimant();
    const future = await FolderClaim.prepare(folder);
    const later = new Date(Date.now() + 3_600_000);
    await utimes(future.folder, later, later);
    await future.livingClaimant();
    expect(await readdir(folder)).toHaveLength(2);
  });
});
