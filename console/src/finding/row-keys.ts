/** Where the keyboard goes from row to row: the list of what was found, and the box above it. */
export const RESULTS = 'results';
/** The filters of the history have a name of their own. */
const BOX = '[role="search"]:not([aria-label]) input';

/** Says whether there is one. */
export function focusBox(): boolean {
  const box = document.querySelector<HTMLElement>(BOX);
  box?.focus({ preventScroll: true });
  return box !== null;
}

/** Goes to the link of a row; says whether there is one. */
export function focusRow(index: number, options?: FocusOptions): boolean {
  const link = document.querySelectorAll<HTMLElement>(`#${RESULTS} tbody th a`)[index];
  link?.focus(options);
  return link !== undefined;
}

/** Up and down, in the links or in the checkboxes; up from the first row goes back to the box. */
export function moveAmongRows(event: KeyboardEvent): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  const from = event.target as HTMLElement;
  const row = from.closest('tbody tr');
  if (!row) return;
  event.preventDefault();
  const next = event.key === 'ArrowDown' ? row.nextElementSibling : row.previousElementSibling;
  const target = next?.querySelector<HTMLElement>(from instanceof HTMLInputElement ? 'input' : 'th a');
  if (target) target.focus();
  else if (event.key === 'ArrowUp') focusBox();
}
