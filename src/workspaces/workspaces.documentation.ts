import { RecordNotes } from '../records/record-notes';

const notes = new RecordNotes('workspace', 'atlas');

export const LIST_WORKSPACES = notes.list('`search` looks in ids and names.');

export const READ_WORKSPACE = notes.read();

export const CREATE_WORKSPACE = notes.create('All its members hold its permissions.', {
  delta: { summary: 'With a permission', value: { id: 'delta', name: 'Delta', permissions: ['content.read'] } },
  made: { summary: 'With a generated id', value: { name: 'Epsilon' } },
});

export const CHANGE_WORKSPACE = notes.change('absent fields stay. The types of all members are updated.', {
  name: { summary: 'New name', value: { name: 'Atlas One' } },
  permissions: { summary: 'Exactly these permissions', value: { permissions: ['content.read', 'content.edit'] } },
});

export const DELETE_WORKSPACE = notes.delete(
  'Also deletes its groups and all memberships, and updates the types of its members.',
  'cosmos',
);
