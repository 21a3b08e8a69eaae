import { serveBare } from './bare-server';

/** Bare: the work and nothing else. No journal, and no look at who calls beyond the signature of the token. */
serveBare({
  assign: ({ userIds, workspaces, groups }) => ({
    name: 'assign',
    text: 'SELECT bare_assign($1, $2, $3) AS done',
    values: [userIds, workspaces, groups],
  }),
  toggle: ({ id }) => ({ name: 'toggle', text: 'SELECT bare_toggle($1) AS done', values: [id] }),
});
