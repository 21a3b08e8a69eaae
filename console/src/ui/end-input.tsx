import { useState } from 'preact/hooks';
import { type MessageKey, t } from '../language/language.ts';
import { browserZone, dayLater, END_OF_DAY, momentAt, wallAt, zones } from './zones.ts';

/** What one press gives, from the day that stands there, or from today. */
const STEPS: readonly [MessageKey, (day: string, today: string) => string][] = [
  ['ends.week', (day) => dayLater(day, { days: 7 })],
  ['ends.month', (day) => dayLater(day, { months: 1 })],
  ['ends.year', (_, today) => `${today.slice(0, 4)}-12-31`],
];

/** When something ends: a day, an hour and the zone of both. Without an hour it is the end of the day. */
export function EndInput({
  value,
  common,
  onChange,
}: {
  value: string;
  /** The attributes of the day. */
  common: object;
  onChange: (value: string) => void;
}) {
  const [zone, setZone] = useState(browserZone);
  const isSet = !Number.isNaN(Date.parse(value));
  const { day, time } = isSet ? wallAt(value, zone) : { day: '', time: '' };
  const today = wallAt(Date.now(), zone).day;
  // It says 23:59 of what ends with the day.
  const timeOf = (shown: string) => (END_OF_DAY.startsWith(shown) ? END_OF_DAY : `${shown}:00`);
  return (
    <div class="end-input">
      <div>
        <input
          type="date"
          max="9999-12-31"
          {...common}
          value={day}
          onInput={({ currentTarget: { value } }) =>
            onChange(value && momentAt({ day: value, time: time || END_OF_DAY }, zone))
          }
        />
        <input
          type="time"
          aria-label={t('ends.hour')}
          value={time.slice(0, 5)}
          onInput={({ currentTarget: { value } }) =>
            value && onChange(momentAt({ day: day || today, time: timeOf(value) }, zone))
          }
        />
        <select
          aria-label={t('ends.zone')}
          value={zone}
          onInput={({ currentTarget: { value } }) => {
            setZone(value);
            if (isSet) onChange(momentAt({ day, time }, value));
          }}
        >
          {zones().map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      </div>
      <div>
        {STEPS.map(([label, step]) => (
          <button
            key={label}
            type="button"
            onClick={() => onChange(momentAt({ day: step(day || today, today), time: time || END_OF_DAY }, zone))}
          >
            {t(label)}
          </button>
        ))}
        <button type="button" disabled={!isSet} onClick={() => onChange('')}>
          {t('ends.never')}
        </button>
      </div>
    </div>
  );
}
