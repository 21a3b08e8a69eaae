import type { AccessTokenConfig } from '../config/token.config';
import type { WebhookEvent } from '../contract/webhooks';
import type { DirectorySource, EmulatorOptions } from './emulator';
import type { PlannedFailure } from './planned-failures';

/** The requests from a test's process to the service's process by name, with arguments and results. */
export interface EmulatorCalls {
  start: { gives: EmulatorOptions; gets: { url: string; databaseUrl: string; accessTokens: AccessTokenConfig } };
  reset: { gives: { directory: DirectorySource }; gets: void };
  failNext: { gives: PlannedFailure; gets: void };
  events: { gives: { after: string; wait: boolean }; gets: WebhookEvent[] };
  close: { gives: undefined; gets: void };
}

export type EmulatorCall = keyof EmulatorCalls;

export interface EmulatorRequest<Call extends EmulatorCall = EmulatorCall> {
  number: number;
  call: Call;
  given: EmulatorCalls[Call]['gives'];
}

export interface EmulatorAnswer {
  number: number;
  result?: unknown;
  /** Why it was refused. */
  problem?: string;
}
