import { readFile } from 'node:fs/promises';
import type { ChainPlace } from '../journal/hash-chain';
import { readPoint, writePoint } from '../journal/verified-point';
import { verifyJournal } from '../journal/verify-journal';
import { withDirectory } from './with-directory';

export async function verify({ since }: { since?: string }): Promise<void> {
  const start = since === undefined ? undefined : await findPoint(since);
  const { entries, changes, chains, broken, point } = await withDirectory(
    (dataSource) => verifyJournal(dataSource, start),
    false,
  );
  if (broken) throw new Error(broken.what);
  const [entryCount, changeCount, chainCount] = [entries, changes, chains].map((count) => count.toLocaleString('en'));
  const extent = start ? 'whole since the point' : 'whole';
  process.stdout.write(
    `The journal is ${extent}. Entries: ${entryCount}; changes: ${changeCount}; chains: ${chainCount}.\n${writePoint(point)}\n`,
  );
}

async function findPoint(since: string): Promise<ChainPlace[]> {
  const point = readPoint(since) ?? readPoint(await readFile(since, 'utf8').catch(() => ''));
  if (!point) throw new Error(`"${since.slice(0, 80)}" is neither a point nor a file with one. It may be truncated.`);
  return point;
}
