import { RecordNotes } from '../records/record-notes';

const notes = new RecordNotes('group', 'atlas-editors');

export const LIST_GROUPS = notes.list('`search` looks in ids and names.');

export const READ_GROUP = notes.read();

export const CREATE_GROUP = notes.create('A group stays in its workspace. All its members hold its permissions.', {
  readers: {
    summary: 'With a permission',
    value: { id: 'cosmos-readers', name: 'Readers', workspace: 'cosmos', permissions: ['content.read'] },
  },
  nowhere: { summary: 'Refused: an unknown workspace', value: { name: 'Readers', workspace: 'nowhere' } },
});

export const CHANGE_GROUP = notes.change('absent fields stay. The types of all members are updated.', {
  name: { summary: 'New name', value: { name: 'Authors' } },
  permissions: { summary: 'No permissions', value: { permissions: [] } },
});

export const DELETE_GROUP = notes.delete(
  'Its members stay in the workspace, and lose the permissions of the group.',
  'borealis-editors',
);
