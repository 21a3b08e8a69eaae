import { RecordNotes } from '../records/record-notes';

const notes = new RecordNotes('permission', 'content.edit');

export const LIST_PERMISSIONS = notes.list('`search` looks in ids and descriptions.');

export const READ_PERMISSION = notes.read();

export const CREATE_PERMISSION = notes.create(
  'To give it to users, workspaces or groups, change their `permissions`.',
  {
    publish: {
      summary: 'Grants the type manager',
      value: { id: 'content.publish', description: 'Publish content', grants: 'manager' },
    },
    access: { summary: 'Grants no higher type', value: { id: 'lobby.enter', grants: 'guest' } },
  },
);

export const CHANGE_PERMISSION = notes.change(
  'absent fields stay, null clears the description. The types of all its holders are updated.',
  {
    grants: { summary: 'Grant the type manager', value: { grants: 'manager' } },
    description: { summary: 'New description', value: { description: 'Write and edit content' } },
  },
);

export const DELETE_PERMISSION = notes.delete(
  'All its holders lose it, and their types are updated.',
  'workspace.manage',
);
