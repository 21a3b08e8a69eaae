/** A planned refusal. */
export interface PlannedFailure {
  /** A status that this service answers, such as 503. */
  status: number;
  /** The number of requests to refuse: 1 by default. */
  times?: number;
}
