/** A day and a time of day as a clock in some zone shows them: `2030-03-31`, `18:00:00`. */
export interface Wall {
  day: string;
  time: string;
}

/** Where nobody chose an hour. */
export const END_OF_DAY = '23:59:59';

export const browserZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;
/** That of the browser first, then UTC and all others. */
export const zones = (): string[] => [...new Set([browserZone(), 'UTC', ...Intl.supportedValuesOf('timeZone')])];

/** What a clock in a zone shows at a moment. */
export function wallAt(at: string | number, zone: string): Wall {
  const form = new Intl.DateTimeFormat('en', {
    timeZone: zone,
    ...{ year: 'numeric', month: '2-digit', day: '2-digit' },
    ...{ hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' },
  });
  const of = Object.fromEntries(form.formatToParts(new Date(at)).map(({ type, value }) => [type, value]));
  return {
    day: `${of.year?.padStart(4, '0')}-${of.month}-${of.day}`,
    time: `${of.hour}:${of.minute}:${of.second}`,
  };
}

const asUtc = ({ day, time }: Wall): number => Date.parse(`${day}T${time}Z`);

/** The moment at which a clock in a zone shows this. An hour that is left out in spring is the one after it; of two in autumn it is the first. */
export function momentAt(wall: Wall, zone: string): string {
  const wanted = asUtc(wall);
  const offsetAt = (at: number) => asUtc(wallAt(at, zone)) - Math.floor(at / 1000) * 1000;
  const [before, after] = [wanted - 86_400_000, wanted + 86_400_000].map((near) => wanted - offsetAt(near));
  const found = [before, after].find((at) => asUtc(wallAt(at!, zone)) === wanted) ?? before!;
  return new Date(found).toISOString();
}

/** Some days or months later; the last of a shorter month. */
export function dayLater(day: string, { days = 0, months = 0 }): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + months, Math.min(date, months ? last : date) + days))
    .toISOString()
    .slice(0, 10);
}
