import type { AccessTokenConfig } from '../config/config';
import type { WebhookEvent } from '../contract/webhooks';
import type { DirectorySource, EmulatorOptions } from './emulator';
import type { PlannedFailure } from './planned-failures';

/** What the process of a test asks the process of the service for, by name: what it gives, and what it gets. */
export interface EmulatorCalls {
  start: { gives: EmulatorOptions; gets: { url: string; accessTokens: AccessTokenConfig } };
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
