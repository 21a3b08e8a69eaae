const DAY = /^([1-9]\d{3})-(\d\d)-(\d\d)$/;

/** Midnight before a day of the browser's calendar, `further` days later. Undefined if there is no such day. Days have 23 to 25 hours. */
function startOf(day: string, further = 0): Date | undefined {
  const [, year, month, date] = DAY.exec(day)?.map(Number) ?? [];
  if (year === undefined || month === undefined || date === undefined) return undefined;
  const isReal = new Date(Date.UTC(year, month - 1, date)).toISOString().startsWith(day);
  return isReal ? new Date(year, month - 1, date + further) : undefined;
}

/** The moments between which these days are, the last one included. */
export function momentsOf(from = '', to = ''): { from?: string; to?: string } {
  return { from: startOf(from)?.toISOString(), to: startOf(to, 1)?.toISOString() };
}

/** Today in the browser's calendar, as `2030-03-31`. */
export function dayOf(date: Date): string {
  const digits = (value: number) => String(value).padStart(2, '0');
  return `${String(date.getFullYear()).padStart(4, '0')}-${digits(date.getMonth() + 1)}-${digits(date.getDate())}`;
}

/** A day as people write it. */
export function dayInWords(day: string, language: string): string {
  const start = startOf(day);
  return start ? new Intl.DateTimeFormat(language, { dateStyle: 'medium' }).format(start) : day;
}
