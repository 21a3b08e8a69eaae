import { useEffect, useState } from 'preact/hooks';
import { language, t } from './language.ts';

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** "3 minutes ago", within a week; else the date. By the words of the browser. */
function relative(then: number, now: number): string {
  const seconds = Math.round((then - now) / 1000);
  const words = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  if (Math.abs(seconds) < 60) return words.format(0, 'second');
  const [unit, size] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? UNITS[2];
  if (unit === 'day' && Math.abs(seconds) > 7 * size)
    return new Intl.DateTimeFormat(language, { dateStyle: 'medium' }).format(then);
  return words.format(unit === 'day' ? daysBetween(now, then) : Math.trunc(seconds / size), unit);
}

/** As a calendar counts: tomorrow is the next day, also if that is more than a day away. */
const daysBetween = (one: number, other: number): number =>
  Math.round((midnight(other) - midnight(one)) / (UNITS[0][1] * 1000));
const midnight = (at: number): number => new Date(at).setHours(0, 0, 0, 0);

export const fullTime = (iso: string): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'medium' }).format(Date.parse(iso));

/** Draws again as time goes by: "a minute ago" becomes "2 minutes ago". */
function useMinutes(): void {
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => tick((minute) => minute + 1), 60_000);
    return () => clearInterval(timer);
  }, []);
}

/** When something happened, as people say it. The title has the exact time. */
export function Time({ at, exact = false }: { at: string; exact?: boolean }) {
  useMinutes();
  return (
    <time dateTime={at} title={fullTime(at)}>
      {exact ? fullTime(at) : relative(Date.parse(at), Date.now())}
    </time>
  );
}

/** "Fri 4 Dec, 18:00", with the year if that is another. */
export function whenText(at: string): string {
  const isThisYear = new Date(at).getFullYear() === new Date().getFullYear();
  return new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, {
    ...{ weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
    ...(!isThisYear && { year: 'numeric' }),
  } as const).format(Date.parse(at));
}

/** "ends Fri 4 Dec, 18:00". */
export const endsText = (at: string | null): string =>
  at === null ? t('ends.none') : t('ends.in', { when: whenText(at) });

export const untilText = (at: string): string => t('ends.until', { day: whenText(at) });

const DAY_MS = UNITS[0][1] * 1000;
/** How near an end is, as a class: within a week, or within a day. */
function nearness(at: string): 'nearest' | 'near' | 'far' {
  const left = Date.parse(at) - Date.now();
  return left < DAY_MS ? 'nearest' : left < 7 * DAY_MS ? 'near' : 'far';
}

/** When something ends, if it ends. The title has the zone. */
export function Ends({ at, isAccount }: { at: string | null | undefined; isAccount?: boolean }) {
  useMinutes();
  if (!at) return null;
  const exact = new Intl.DateTimeFormat(language, { dateStyle: 'full', timeStyle: 'long' });
  return (
    <time class={`word ends ${nearness(at)}`} dateTime={at} title={exact.format(Date.parse(at))}>
      {isAccount ? t('ends.account_in', { when: whenText(at) }) : endsText(at)}
    </time>
  );
}

export function dayText(at: string): string {
  const isThisYear = new Date(at).getFullYear() === new Date().getFullYear();
  const words = new Intl.DateTimeFormat(language, {
    day: 'numeric',
    month: 'long',
    ...(!isThisYear && { year: 'numeric' }),
  });
  return words.format(Date.parse(at));
}

/** The day on which something happened, in a sentence: "since 3 May". */
export function Day({ at }: { at: string }) {
  return (
    <time dateTime={at} title={fullTime(at)}>
      {dayText(at)}
    </time>
  );
}
