import { dayLater, momentAt, wallAt } from '../../console/src/ui/zones';

describe('an end by the clock of a zone', () => {
  it.each([
    ['2026-12-04', '18:00:00', 'Europe/Berlin', '2026-12-04T17:00:00.000Z'],
    ['2026-07-04', '18:00:00', 'Europe/Berlin', '2026-07-04T16:00:00.000Z'],
    ['2026-12-04', '18:00:00', 'Asia/Kathmandu', '2026-12-04T12:15:00.000Z'],
    ['2026-12-04', '23:59:59', 'America/Los_Angeles', '2026-12-05T07:59:59.000Z'],
    ['2026-12-04', '00:00:00', 'Pacific/Kiritimati', '2026-12-03T10:00:00.000Z'],
    // While somebody types the year.
    ['0002-12-04', '23:59:59', 'UTC', '0002-12-04T23:59:59.000Z'],
    ['0202-12-04', '23:59:59', 'Europe/Berlin', '0202-12-04T23:06:31.000Z'],
    // Twice on that day: the first.
    ['2026-10-25', '02:30:00', 'Europe/Berlin', '2026-10-25T00:30:00.000Z'],
    // A day of 23 hours ends as any other.
    ['2026-03-29', '23:59:59', 'Europe/Berlin', '2026-03-29T21:59:59.000Z'],
  ])('%s %s in %s is %s, and is shown so', (day, time, zone, moment) => {
    expect(momentAt({ day, time }, zone)).toBe(moment);
    expect(wallAt(moment, zone)).toEqual({ day, time });
  });

  it('takes the hour after for one that is left out', () =>
    expect(wallAt(momentAt({ day: '2026-03-29', time: '02:30:00' }, 'Europe/Berlin'), 'Europe/Berlin')).toEqual({
      day: '2026-03-29',
      time: '03:30:00',
    }));

  it.each([
    ['2026-12-28', { days: 7 }, '2027-01-04'],
    ['2026-01-31', { months: 1 }, '2026-02-28'],
    ['2028-01-31', { months: 1 }, '2028-02-29'],
    ['2026-12-31', { months: 1 }, '2027-01-31'],
  ])('%s and %j is %s', (day, step, later) => expect(dayLater(day, step)).toBe(later));
});
