import { t } from '../language/language.ts';
import { service } from '../service.ts';
import { useLoaded } from '../ui/load.ts';
import { Named } from '../ui/named.tsx';

interface FieldAttributes {
  id: string;
}

function useWorkspaces() {
  return useLoaded(
    async (signal) => (await service.workspaces.list({ limit: 200 }, { signal }).pages().next()).value?.items ?? [],
    [],
  ).value;
}

export function OneWorkspace({
  attributes,
  id,
  choose,
}: {
  attributes: FieldAttributes;
  id: string;
  choose: (id: string) => void;
}) {
  return (
    <select {...attributes} required value={id} onChange={({ currentTarget }) => choose(currentTarget.value)}>
      <option value="" />
      {useWorkspaces()?.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  );
}

export function SomeWorkspaces({
  attributes,
  ids,
  without,
  choose,
}: {
  attributes: FieldAttributes;
  ids: readonly string[];
  without: string;
  choose: (ids: string[]) => void;
}) {
  return (
    <>
      {ids.length > 0 && (
        <ul class="plain-list row tight">
          {ids.map((id) => (
            <li key={id} class="word">
              <Named kind="workspace" id={id} />
              <button
                type="button"
                class="plain"
                aria-label={t('form.remove', { name: id })}
                onClick={() => choose(ids.filter((other) => other !== id))}
              >
                <span aria-hidden="true">✕</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      <select {...attributes} value="" onChange={({ currentTarget }) => choose([...ids, currentTarget.value])}>
        <option value="" />
        {useWorkspaces()
          ?.filter(({ id }) => id !== without && !ids.includes(id))
          .map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
      </select>
    </>
  );
}
