/** What a provider can ask for, at most. */
export const LIMITS = {
  /** Resources on a page, at most and by default. */
  page: 200,
  defaultPage: 100,
  /** Code points of a filter. They bound its depth as well: the parser and PostgreSQL follow 1,000 brackets without harm. */
  filter: 1_000,
  /** Bytes of a resource, without the members of a group. */
  resourceBytes: 64 * 1024,
  /** Values of one attribute, but for the members of a group. */
  values: 500,
  /** Members that one request can name. */
  members: 100_000,
} as const;
