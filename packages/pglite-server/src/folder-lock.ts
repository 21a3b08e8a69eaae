import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Claimant, FolderClaim } from './folder-claim';
import { DataDirInUseError } from './folder-errors';

const MAX_PAUSE_MS = 40;
/** After this time, undecided rivals are considered stuck but alive. */
const UNDECIDED_FOR_MS = 5_000;

export function claimsFolder(dataDir: string): string {
  return join(dataDir, 'postgres.lock');
}

/**
 * Locks the folder for the process of the claim, which must be listening already, or throws {@link DataDirInUseError}.
 *
 * Each process first publishes its claim and then looks for others. So of two concurrent processes, at least one sees
 * the other, and two can never both consider themselves alone. Processes that see each other withdraw, and retry after
 * a random pause.
 */
export async function holdDataDir(
  dataDir: string,
  claim: FolderClaim,
  claimant: Omit<Claimant, 'holds'>,
): Promise<void> {
  const patience = performance.now() + UNDECIDED_FOR_MS;
  for (;;) {
    await claim.publish({ ...claimant, holds: false });
    const rivals = await livingClaimants(dataDir, claim);
    if (rivals.length === 0) {
      await claim.publish({ ...claimant, holds: true });
      return;
    }
    await claim.withdraw();
    const holder = rivals.find(({ holds }) => holds) ?? (performance.now() > patience ? rivals[0] : undefined);
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
