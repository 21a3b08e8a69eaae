import type { StatusWords } from '../answers/answers';

/** The specification has words for the `status` of this route's answers, instead of the HTTP status. */
export const MANAGE_STATUS_WORDS: StatusWords = {
  path: '/api/users/manage-status',
  success: 'success',
  failure: 'error',
};
