import { language } from '../language/language.ts';
import { fullTime } from '../language/time.tsx';
import { dayOf } from '../ui/days.ts';

/** The time of a day with its zone, as the browser has it; on paper with the day. */
export function Moment({ at }: { at: string }) {
  const written = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(language, { ...options, timeZoneName: 'short' }).format(Date.parse(at));
  const time = { hour: 'numeric', minute: '2-digit' } as const;
  return (
    <time dateTime={at} title={fullTime(at)}>
      <span class="on-screen">{written(time)}</span>
      <span class="on-paper">
        {written({ ...time, second: '2-digit', day: 'numeric', month: 'short', year: 'numeric' })}
      </span>
    </time>
  );
}

const DAY_MS = 86_400_000;

/** "today · Sunday, 29 November 2026": of a day of the browser's calendar. */
export function DayHeading({ day }: { day: string }) {
  const [date, now] = [day, dayOf(new Date())].map((each) => Date.parse(each)) as [number, number];
  const away = Math.round((date - now) / DAY_MS);
  const full = new Intl.DateTimeFormat(language, { dateStyle: 'full', timeZone: 'UTC' }).format(date);
  if (away < -1 || away > 0) return <>{full}</>;
  return (
    <>
      <span class="on-screen">{new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(away, 'day')} · </span>
      {full}
    </>
  );
}
