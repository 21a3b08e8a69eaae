import type { UserAdministrationClient } from '@user-administration/client';
import { z } from 'zod';
import type { Result } from './changes';
import type { Previews } from './previews';

/** What tools work with. */
export interface Bench {
  client: UserAdministrationClient;
  previews: Previews<Result>;
}

/** What the caller of a tool may expect of it, in the words of the protocol. */
interface Hints {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
}

export const READS: Hints = { readOnlyHint: true, destructiveHint: false, idempotentHint: true };
export const CHANGES: Hints = { readOnlyHint: false, destructiveHint: true, idempotentHint: true };

/** A tool, with the types of its arguments and of its answer. */
interface TypedTool<Input extends z.ZodObject, Output extends z.ZodObject> {
  name: string;
  title: string;
  description: string;
  hints: Hints;
  input: Input;
  output: Output;
  /** Arguments that work on the demo directory, as far as they name no preview. */
  example: z.input<Input>;
  /** @param signal aborted when nobody waits for the answer any more */
  run(bench: Bench, given: z.output<Input>, signal: AbortSignal): Promise<z.output<Output>>;
}

export interface Tool extends Omit<TypedTool<z.ZodObject, z.ZodObject>, 'run'> {
  run(bench: Bench, given: unknown, signal: AbortSignal): Promise<Record<string, unknown>>;
}

/** @throws ToolError for arguments that the tool does not take */
export function tool<Input extends z.ZodObject, Output extends z.ZodObject>(typed: TypedTool<Input, Output>): Tool {
  return {
    ...typed,
    async run(bench, given, signal) {
      const { data, error } = typed.input.safeParse(given ?? {});
      if (error) throw new ToolError('arguments.invalid', z.prettifyError(error));
      return typed.run(bench, data, signal);
    },
  };
}

/** An error that this server finds itself. Those of the service come from the client. */
export class ToolError extends Error {
  constructor(
    readonly code: string,
    message: string,
    /** What else the answer says. */
    readonly facts: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
  }
}
