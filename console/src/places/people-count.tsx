import { number } from '../language/language.ts';
import { service } from '../service.ts';
import { useLoaded } from '../ui/load.ts';

/** How many people a place has, or hold a permission. One request. */
export function PeopleCount({ of }: { of: { workspace: string } | { group: string } | { permission: string } }) {
  const { value } = useLoaded(
    async (signal) =>
      (
        await service.users
          .list({ ...of, limit: 1, total: true }, { signal })
          .pages()
          .next()
      ).value,
    [JSON.stringify(of)],
  );
  if (!value?.total) return null;
  return <span class="count">{`${number(value.total.count)}${value.total.exact ? '' : '+'}`}</span>;
}
