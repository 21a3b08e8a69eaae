import { useEffect } from 'preact/hooks';
import { firstPage } from '../records/operations.ts';
import { href } from '../routing/address.ts';
import { service } from '../service.ts';
import { AdministratorsOnly } from '../session/administrators-only.tsx';
import { useLoaded } from '../ui/load.ts';
import { EraseGone } from './remove-person.tsx';

/** Somebody who is gone, or has another id by now: an earlier id leads to the person of today. */
export function GoneOrRenamed({ id }: { id: string }) {
  const { value } = useLoaded(
    (signal) => firstPage(service.journal.list({ user: id, action: 'user.renamed', limit: 20 }, { signal })),
    [id],
  );
  const to = value?.find(({ before }) => before?.id === id)?.after?.id;
  useEffect(() => {
    if (typeof to === 'string' && to !== id) location.replace(href(['people', to]));
  }, [to]);
  return (
    <AdministratorsOnly>
      <EraseGone id={id} />
    </AdministratorsOnly>
  );
}
