/**
 * Spreadsheets take a cell that begins so for a formula, and would calculate what somebody gave as a reason. Signs of
 * full width count.
 */
const SIGN = String.raw`[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]`;
/** Blanks and guards before such a sign. It begins where no other blank stands before, so a search is linear. */
const BEFORE_SIGN = new RegExp(String.raw`(?<![\s'])[\s']*(?=${SIGN})`, 'g');
const BEGINS_WITH_SIGN = new RegExp(String.raw`^[\s']*${SIGN}`);
const BEGINS_WITH_BREAK = /^'*[\t\r\n]/;

/** Some spreadsheets take these for the end of a cell. A tab is a blank as well. */
const isBeginning = (text: string, at: number): boolean => at === 0 || text[at - 1] === ';';

/**
 * The text of a cell so that a spreadsheet reads it as text: each place at which a formula would begin gets a `'`.
 * {@link unguarded} takes it off.
 */
export function guarded(text: string): string {
  const inside = text.replace(BEFORE_SIGN, (blanks, at: number) => {
    return (isBeginning(text, at) ? "'" : '') + blanks.replaceAll('\t', "\t'");
  });
  return beginsOnlyWithBreak(text) ? `'${inside}` : inside;
}

/** The text that {@link guarded} was given. Any other text stays as it is. */
export function unguarded(text: string): string {
  const inside = text.replace(BEFORE_SIGN, (blanks, at: number) => {
    const own = isBeginning(text, at) && blanks.startsWith("'") ? blanks.slice(1) : blanks;
    return own.replaceAll("\t'", '\t');
  });
  return beginsOnlyWithBreak(text) && text.startsWith("'") ? inside.slice(1) : inside;
}

const beginsOnlyWithBreak = (text: string): boolean => BEGINS_WITH_BREAK.test(text) && !BEGINS_WITH_SIGN.test(text);
