import { useName, type NamedKind } from '../names.ts';
import { PAGE_OF } from './operations.ts';
import { href } from '../routing/address.ts';

/** A record by its name, as a link to its card. Its id until the name is known, and if there is none. */
export function Named({ kind, id }: { kind: NamedKind; id: string }) {
  const name = useName(kind, id);
  return (
    <a href={href([PAGE_OF[kind], id])} title={id}>
      <bdi>{name?.label ?? id}</bdi>
    </a>
  );
}
