import { serveBare } from './bare-server';

/** Bare: only the work, without a journal, and without judging the caller beyond the signature of the token. */
serveBare({
  assign: ({ userIds, workspaces, groups }) => ({
    name: 'assign',
    text: 'SELECT bare_assign($1, $2, $3) AS done',
    values: [userIds, workspaces, groups],
  }),
  toggle: ({ id }) => ({ name: 'toggle', text: 'SELECT bare_toggle($1) AS done', values: [id] }),
});
