import { openToRead } from '../directory-transfer/open-to-read';
import type { ChainPlace } from '../journal/hash-chain';
import { mentionsPoint, readPoint, writePoint } from '../journal/verified-point';
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

/** @param since a point, or the path of a file that contains one */
async function findPoint(since: string): Promise<ChainPlace[]> {
  const point = readPoint(since);
  if (point) return point;
  const file = await openToRead(since).catch((error: Error) => {
    throw mentionsPoint(since) ? damaged('The point') : error;
  });
  try {
    const text = await file.readFile('utf8');
    const kept = readPoint(text);
    if (kept) return kept;
    if (mentionsPoint(text)) throw damaged(`The point in ${since}`);
    throw new Error(`${since} contains no point. Give the output of an earlier \`user-admin journal verify\`.`);
  } finally {
    await file.close();
  }
}

function damaged(what: string): Error {
  return new Error(`${what} is truncated or altered. Give it as \`user-admin journal verify\` printed it.`);
}
