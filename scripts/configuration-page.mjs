// Writes the chapter "Settings" of docs/configuration.md from .env.example, which explains each setting.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const PAGE = join(root, 'docs', 'configuration.md');
const CHAPTER = /(?<=^## Settings\n).*?(?=^## )/ms;
const INTRODUCTION = 'Written by `npm run configuration` from `.env.example`. An empty variable counts as not set.';

/** A paragraph of a comment: names of variables as code, and pages as links. */
function toMarkdown(paragraph) {
  return paragraph
    .replace(/`[^`]*`|\{[A-Z_]+\}[\w/]*|\b[A-Z]+(?:_[A-Z]+)+\b/g, (name) =>
      name.startsWith('`') ? name : `\`${name}\``,
    )
    .replace(/\bdocs\/([\w-]+\.md)(#[\w-]+)?/g, '[$1]($1$2)');
}

/** Lines of a comment, and the variables below it. */
function entry([, comment, assignments]) {
  const names = [...assignments.matchAll(/^[A-Z_]+/gm)].map(([name]) => `\`${name}\``);
  const paragraphs = comment.split(/^#\n/m).map((lines) => lines.replace(/^# /gm, '').trim().replaceAll('\n', ' '));
  return `- **${names.join(', ')}**\\\n${paragraphs.map((text) => `  ${toMarkdown(text)}\n`).join('\n')}`;
}

/** The page as .env.example is now. */
export function configurationPage() {
  const entries = readFileSync(join(root, '.env.example'), 'utf8').matchAll(/((?:^#.*\n)+)((?:^[A-Z_]+=.*\n)+)/gm);
  const chapter = `\n${INTRODUCTION}\n\n${[...entries].map(entry).join('')}\n`;
  return readFileSync(PAGE, 'utf8').replace(CHAPTER, () => chapter);
}

if (process.argv[1] === import.meta.filename) writeFileSync(PAGE, configurationPage());
