// The pages of a release: a clone has files that they link to and a release has not.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Makes text of every link of a page that leads to no file. */
export function removeDeadLinks(page) {
  const isDead = (link) => !link.startsWith('https://') && !existsSync(join(dirname(page), link.replace(/#.*/, '')));
  const text = readFileSync(page, 'utf8').replace(/\[([^\][]+)\]\(([^)\s]+)\)/g, (whole, label, link) =>
    !link.startsWith('#') && isDead(link) ? label : whole,
  );
  writeFileSync(page, text);
}

/** The same for all pages of a package: those beside its `package.json`, and those in `docs`. */
export function removeDeadLinksIn(folder) {
  for (const part of [folder, join(folder, 'docs')].filter(existsSync))
    for (const page of readdirSync(part)) if (page.endsWith('.md')) removeDeadLinks(join(part, page));
}
