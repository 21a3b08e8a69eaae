/** The limits of a request. The OpenAPI document and refusals state the same numbers. */
export const LIMITS = {
  /** Distinct users in one assignment. */
  users: 10_000,
  /** Distinct workspaces in one assignment. */
  workspaces: 1_000,
  /** Distinct groups in one assignment. */
  groups: 1_000,
  /** Users times (workspaces plus groups) in one assignment. */
  memberships: 1_000_000,
  /**
   * Memberships in a request whose answer has a result, and in the result. `unassign_users.sql` states the same number.
   */
  representedMemberships: 100_000,
  /** Ids in the `id` filter of a list. */
  idsInList: 100,
  /** Ids in each list of a record that is created or changed. */
  idsInRecord: 10_000,
  /** Records that a list counts for its `total`. */
  counted: 10_000,
  /** Records on one page of a list. */
  recordsPage: 200,
  /** Bytes of the body of a page, and of a result. A page ends with the item before the one that would exceed it. */
  pageBytes: 4 * 1024 * 1024,
  /** Sources of one permission on a page of the permissions of a user. */
  sources: 20,
  /** Groups on one page of the memberships of a user. */
  groupsPage: 10_000,
  /** From this number of code points on, a search finds text anywhere. A shorter one finds beginnings. */
  searchAnywhere: 3,
  /** The words of a search that count. */
  searchWords: 8,
  /** Code points of a search, at most. */
  search: 100,
  /** Code points of a name. */
  name: 255,
  /** Code points of an email address, at least and at most. */
  emailAtLeast: 3,
  email: 320,
  /** Code points of the description of a permission. */
  description: 1_000,
  /** Code points of an identifier. */
  identifier: 255,
  /** Seconds that a status token may be valid: a week. */
  statusTokenSeconds: 604_800,
  /** Code points of the reason for a change, at least 1. */
  reason: 500,
  /** Characters of an `Idempotency-Key`. */
  idempotencyKey: 255,
  /** Hours that an `Idempotency-Key` is kept. */
  idempotencyHours: 24,
  /** Entries on one page of the journal. */
  journalPage: 200,
  /** The same if they are brief. */
  journalBriefPage: 10_000,
  /** Seconds that a follower of the journal can wait for an entry. */
  journalWait: 25,
  /** Bytes of a request body. */
  bodyBytes: 64 * 1024,
  /**
   * Bytes of a request body that holds lists of ids: room for 12,000 ids (all three lists full) of 255 code points of
   * four bytes each.
   */
  listBodyBytes: 16 * 1024 * 1024,
  /** Arrays, objects and fields of a request body together: many times those of any sensible body. */
  bodyStructure: 200_000,
  /** Positions that one problem document lists. */
  errorLocations: 100,
} as const;
