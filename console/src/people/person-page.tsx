import { Fragment } from 'preact';
import type { Stored, UserRecord } from '@user-administration/client';
import { t } from '../language/language.ts';
import { Time } from '../language/time.tsx';
import { nameOf } from '../names.ts';
import { PERSON_TEXTS } from '../records/fields.ts';
import { TypeWord } from '../records/grants.tsx';
import { textOf } from '../history/facts.ts';
import { LastChanges } from '../records/last-changes.tsx';
import { RecordHead, RecordPage } from '../records/record-page.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Initials } from '../ui/icon.tsx';
import { GoneOrRenamed } from './earlier-id.tsx';
import { Ending } from './ending.tsx';
import { WaysToHigherType } from './ways-to-higher-type.tsx';
import { PersonActions } from './person-actions.tsx';
import { PersonPlaces } from './person-places.tsx';
import { SuspendedSince } from './suspended-since.tsx';
import { Why } from './why.tsx';

/** The card of a person: who it is, of what type and why, where, and what happened last. */
export function PersonPage({ id }: { id: string }) {
  return (
    <RecordPage<Stored<UserRecord>> kind="user" id={id} gone={<GoneOrRenamed id={id} />}>
      {(person) => (
        <>
          <RecordHead
            record={person}
            mark={<Initials name={nameOf(person)} />}
            line={
              <>
                {person.email && (
                  <span>
                    <bdi>{person.email}</bdi> <CopyButton text={person.email} />
                  </span>
                )}
                <Ending user={id} at={person.activeUntil} />
                <span>
                  {t('people.changed')}: <Time at={person.updatedAt} />
                </span>
              </>
            }
            words={
              <>
                <span class={`word ${person.status}`}>{t(`status.${person.status}`)}</span>{' '}
                <TypeWord type={person.type} />
              </>
            }
          >
            <PersonActions person={person} />
          </RecordHead>
          {person.status === 'inactive' && <SuspendedSince id={id} />}
          <div class="columns">
            <div>
              <section class="card">
                <dl class="facts">
                  <dt>{t('field.id')}</dt>
                  <dd>
                    <bdi class="id">{person.id}</bdi>
                  </dd>
                  {PERSON_TEXTS.map(({ name, label }) => (
                    <Fragment key={name}>
                      <dt>{t(label)}</dt>
                      <dd>{textOf(person, name) ? <bdi>{textOf(person, name)}</bdi> : <i>{t('field.nothing')}</i>}</dd>
                    </Fragment>
                  ))}
                  <dt>{t('card.created')}</dt>
                  <dd>
                    <Time at={person.createdAt} />
                  </dd>
                </dl>
              </section>
              <Why id={id} type={person.type}>
                <WaysToHigherType id={id} type={person.type} />
              </Why>
              <PersonPlaces id={id} />
            </div>
            <LastChanges user={id} />
          </div>
        </>
      )}
    </RecordPage>
  );
}
