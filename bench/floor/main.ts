import { randomUUID } from 'node:crypto';
import { serveBare } from '../bare/bare-server';

/**
 * The floor: the cost of the service's guarantees alone. Hand-written SQL judges the caller in the transaction and
 * writes every change to a journal with a hash chain.
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
