/** A workspace or a group. */
export interface Place {
  kind: 'workspace' | 'group';
  id: string;
  /** Of a group: the id of its workspace. */
  workspace?: string;
}
