import { rich } from '../language/message.tsx';
import { t } from '../language/language.ts';
import { labelOf, type NamedKind, useName, workspaceOf } from '../names.ts';

/** A workspace or a group. */
export interface Place {
  kind: 'workspace' | 'group';
  id: string;
  /** Of a group: the id of its workspace. */
  workspace?: string;
}

/** The name of a record, where a link would lead away from what somebody is doing. */
export function Label({ kind, id }: { kind: NamedKind; id: string }) {
  return <bdi title={id}>{useName(kind, id)?.label ?? id}</bdi>;
}

/** A place by its name: groups of several workspaces often have the same, so theirs is "Editors (Atlas)". */
export function PlaceLabel({ kind, id, workspace }: Place) {
  const known = useName(kind, id);
  const within = workspace ?? known?.workspace;
  const label = <Label kind={kind} id={id} />;
  if (kind === 'workspace' || within === undefined) return label;
  return rich('place.group_in', { group: label, workspace: <Label kind="workspace" id={within} /> });
}

export function placeText({ kind, id, workspace = workspaceOf(id) }: Place): string {
  const label = labelOf(kind, id);
  if (kind === 'workspace' || workspace === undefined) return label;
  return t('place.group_in', { group: label, workspace: labelOf('workspace', workspace) });
}
