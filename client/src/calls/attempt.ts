import type { UserAdministrationError } from '../user-administration-error.ts';

/** One sending of a call. */
export interface Attempt {
  /** Method and path as the OpenAPI document names them: `POST /api/users/workspace-assign`. */
  operation: string;
  method: string;
  url: string;
  /** 1 for the first. */
  number: number;
  /** What is sent along, without the token. A hook can add to it. */
  headers: Record<string, string>;
}

export interface AttemptEnd {
  durationMs: number;
  /** The HTTP status, if there was an answer. */
  status?: number;
  /** What went wrong; absent after a success. */
  error?: UserAdministrationError;
}
