import type { AccessTokenConfig } from '../../../src/config/token.config';
import type { Emulator, EmulatorOptions } from './emulator';

/** What a test's process can ask of the service's process. */
export interface EmulatorCalls extends Pick<
  Emulator,
  'reset' | 'deliverTo' | 'failNext' | 'advanceClock' | 'events' | 'firstEvent' | 'close'
> {
  start(options: EmulatorOptions): Promise<{
    url: string;
    databaseUrl: string;
    accessTokens: AccessTokenConfig;
    /** The time of the service's process. */
    now: number;
  }>;
}

export interface EmulatorRequest<Call extends keyof EmulatorCalls = keyof EmulatorCalls> {
  number: number;
  call: Call;
  given: Parameters<EmulatorCalls[Call]>;
}

export interface EmulatorAnswer {
  number: number;
  result?: unknown;
  /** Why it was refused. */
  problem?: string;
}
