import type { ControlAddress } from './control-server';
import type { Emulator, EmulatorOptions } from './emulator';
import type { Issuer } from './issuer';
import type { TokenKind } from './token-kinds';

/** What a test's process can ask of the service's process. */
export interface EmulatorCalls extends Pick<
  Emulator,
  'reset' | 'records' | 'deliverTo' | 'failNext' | 'advanceClock' | 'events' | 'firstEvent' | 'close'
> {
  start(options: Omit<EmulatorOptions, 'privateKey'> & { tokens: TokenKind; controls: ControlAddress }): Promise<{
    url: string;
    /** The address of the controls. */
    control: string;
    /** With RS256. */
    jwksUri: string | undefined;
    databaseUrl: string;
    issuer: Issuer;
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
