/** A planned refusal. */
export interface PlannedFailure {
  /** A status that this service answers, such as 503. */
  status: number;
  /** The number of requests to refuse: 1 by default. */
  times?: number;
  /**
   * Only requests to this path, such as `/api/users/workspace-assign`, without a query. Without it, requests that follow the journal
   * are never refused: those of a guard or a follower come at any moment.
   */
  path?: string;
  /** Only requests with this method, such as `POST`. */
  method?: string;
}
