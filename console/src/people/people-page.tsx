import { useEffect, useRef, useState } from 'preact/hooks';
import { Found, useFirst } from '../finding/found.tsx';
import { SearchBox } from '../finding/search-box.tsx';
import { focusBox } from '../finding/row-keys.ts';
import { useTyped } from '../finding/typed.ts';
import { t } from '../language/language.ts';
import { learnNames } from '../names.ts';
import { goTo, href, parseAddress, replaceAddress, useAddress } from '../routing/address.ts';
import { service } from '../service.ts';
import { AdministratorsOnly, useMayChange } from '../session/administrators-only.tsx';
import { type LoadedPages, usePages } from '../ui/load.ts';
import { CreatePersonButton } from './create-person.tsx';
import { PasteBox, PasteButton } from './people-box.tsx';
import { SavePeople } from './save-people.tsx';
import { ChosenFilters, useFilterChoices } from './filter-words.tsx';
import { EndsBar } from './ends-bar.tsx';
import { pagesOfEnding } from './ends-of.ts';
import { type Listed, PeopleTable } from './people-list.tsx';
import { asAccessFilter, asFilter, type Filter, filtersOf, type PeopleQuery, readQuery } from './people-query.ts';
import { SelectionBar } from './selection-bar.tsx';

const WORDS = { found: 'people.found', foundMore: 'people.found_more', none: 'people.none' } as const;

/** Finds people by text and by filters. The address has the whole search. */
export function PeoplePage() {
  const query = readQuery(useAddress().query);
  const found = usePeople(query);
  return (
    <>
      <div class="page-head">
        <h1>{t('page.people')}</h1>
        <div class="row tight">
          <AdministratorsOnly>
            <PasteButton />
            <button type="button" onClick={() => goTo(href(['import']))}>
              {t('action.import')}
            </button>
          </AdministratorsOnly>
          <SavePeople query={query} />
          <AdministratorsOnly>
            <CreatePersonButton />
          </AdministratorsOnly>
        </div>
      </div>
      <FindBar query={query} found={found} />
      {query.ends && <EndsBar query={query} />}
      <Found
        found={found}
        words={WORDS}
        table={(people) => <PeopleTable people={people} query={query} />}
        empty={<NextStep query={query} />}
      />
      <AdministratorsOnly>
        <SelectionBar query={query} shown={found.items ?? []} hasMore={found.hasMore} />
      </AdministratorsOnly>
    </>
  );
}

/** Where nobody was found: without the filters somebody may be. */
function NextStep({ query }: { query: PeopleQuery }) {
  if (filtersOf(query).length === 0) return null;
  return (
    <p class="empty">
      <a href={href(['people'], { search: query.search })}>{t('people.without_filters')}</a>
    </p>
  );
}

function usePeople(query: PeopleQuery): LoadedPages<Listed> {
  const key = href(['people'], query);
  const shown = useRef({ key, count: 0 });
  const found = usePages<Listed>(
    (signal) => {
      // After a change as many as there were, so that the page does not jump.
      const limit = shown.current.key === key ? Math.min(200, Math.max(50, shown.current.count)) : 50;
      const { endsBefore = '' } = asFilter(query);
      if (endsBefore) return { pages: () => pagesOfEnding({ ...asAccessFilter(query), endsBefore }, limit, signal) };
      return service.users.list({ ...asFilter(query), limit, total: true }, { signal });
    },
    [key],
  );
  if (found.isCurrent) shown.current = { key, count: found.items?.length ?? 0 };
  useEffect(() => learnNames('user', found.items ?? []), [key, found.isCurrent, found.items?.length]);
  return found;
}

/** Of the address at this moment: what was drawn last can be older. */
const queryNow = (): PeopleQuery => readQuery(parseAddress(location.hash).query);

/** The box with its filters. What is typed takes the place of the address; a filter is a step of its own, which the back button undoes. */
function FindBar({ query, found }: { query: PeopleQuery; found: LoadedPages<Listed> }) {
  const { search = '' } = query;
  const typed = useTyped(search, (search) => replaceAddress(href(['people'], { ...queryNow(), search })));
  const offered = useFilterChoices(typed.text, query);
  const mayChange = useMayChange();
  const [list, setList] = useState<string>();
  const openFirst = useFirst(found, search, ({ id }) => goTo(href(['people', id])));
  const choose = ({ kind, value }: Filter) => {
    typed.clear();
    goTo(href(['people'], { ...queryNow(), search: undefined, [kind]: value }));
    focusBox();
  };
  const remove = ({ kind }: Filter) => {
    typed.send();
    goTo(href(['people'], { ...queryNow(), [kind]: undefined }));
    focusBox();
  };
  return (
    <>
      <SearchBox
        label={t('people.search')}
        hint={t('people.search_hint')}
        typed={typed}
        onFirst={openFirst}
        {...offered}
        onList={mayChange ? setList : undefined}
        onChoose={choose}
        onBackspace={() => filtersOf(query).slice(-1).forEach(remove)}
      >
        <ChosenFilters query={query} onRemove={remove} />
      </SearchBox>
      {list !== undefined && <PasteBox text={list} onClose={() => setList(undefined)} />}
    </>
  );
}
