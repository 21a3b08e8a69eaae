import { t } from '../language/language.ts';
import { goTo, href } from '../routing/address.ts';
import { daysText, ENDS_WITHIN, type PeopleQuery } from './people-query.ts';

/** How far one looks ahead for what ends. */
export function EndsBar({ query }: { query: PeopleQuery }) {
  const look = (ends: string) => goTo(href(['people'], { ...query, ends }));
  return (
    <div class="row" role="group" aria-label={t('people.ending')}>
      {ENDS_WITHIN.map((days) => (
        <button key={days} type="button" aria-pressed={query.ends === String(days)} onClick={() => look(String(days))}>
          {daysText(days)}
        </button>
      ))}
      <label class="inline">
        {t('ends.field')}
        <input
          type="date"
          max="9999-12-31"
          value={query.ends}
          onChange={({ currentTarget: { value } }) => value && look(value)}
        />
      </label>
    </div>
  );
}
