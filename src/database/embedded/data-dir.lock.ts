import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Claimant, FolderClaim } from './folder-claim';

const MAX_PAUSE_MS = 40;
/** Rivals that are still undecided after this time are stuck, but alive. */
const UNDECIDED_FOR_MS = 5_000;

/** Another process, or this one, has opened the database in this folder. Two would destroy it. */
export class DataDirInUseError extends Error {
  constructor(
    readonly dataDir: string,
    readonly pid: number,
  ) {
    super(
      `The data folder ${dataDir} is in use by process ${pid}. ` +
        'Stop that process first, or choose another folder with DATA_DIR, or a server with DATABASE_URL.',
    );
    this.name = 'DataDirInUseError';
  }
}

/** Where processes claim a data folder. */
export function claimsFolder(dataDir: string): string {
  return join(dataDir, 'postgres.lock');
}

/**
 * Takes the folder for the process behind the claim, which must be listening already, or throws
 * {@link DataDirInUseError}.
 *
 * Each process publishes its claim first and looks for others afterwards. So of two that come at the same time, at
 * least one sees the other, and two can never both find themselves alone. Those who see each other withdraw, and try
 * again after a pause of random length.
 */
export async function holdDataDir(
  dataDir: string,
  claim: FolderClaim,
  claimant: Omit<Claimant, 'holds'>,
): Promise<void> {
  const patience = Date.now() + UNDECIDED_FOR_MS;
  for (;;) {
    await claim.publish({ ...claimant, holds: false });
    const rivals = await livingClaimants(dataDir, claim);
    if (rivals.length === 0) {
      await claim.publish({ ...claimant, holds: true });
      return;
    }
    await claim.withdraw();
    const holder = rivals.find(({ holds }) => holds) ?? (Date.now() > patience ? rivals[0] : undefined);
    if (holder !== undefined) throw new DataDirInUseError(dataDir, holder.pid);
    await delay(Math.random() * MAX_PAUSE_MS);
  }
}

async function livingClaimants(dataDir: string, except: FolderClaim): Promise<Claimant[]> {
  const claims = await FolderClaim.all(claimsFolder(dataDir));
  const others = claims.filter(({ folder }) => folder !== except.folder);
  const claimants = await Promise.all(others.map((other) => other.livingClaimant()));
  return claimants.filter((claimant) => claimant !== undefined);
}
