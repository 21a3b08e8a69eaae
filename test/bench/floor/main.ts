import { randomUUID } from 'node:crypto';
import { serveBare } from '../bare/bare-server';

/**
 * The floor: what the service's guarantees cost when nothing stands around them. The caller is judged in the transaction and
 * every change is written to a journal with a hash chain, by SQL written by hand for this.
 */
serveBare({
  assign: ({ userIds, workspaces, groups }, caller) => ({
    name: 'assign',
    text: 'SELECT floor_assign($1, $2, $3, $4, $5) AS done',
    values: [userIds, workspaces, groups, caller, randomUUID()],
  }),
  toggle: ({ id }, caller) => ({
    name: 'toggle',
    text: 'SELECT floor_toggle($1, $2, $3) AS done',
    values: [id, caller, randomUUID()],
  }),
});
