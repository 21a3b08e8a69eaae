import { type ErrorCode, type ErrorDetails, type Refusal, ServiceError } from './errors';

/**
 * The refusals of a plugin, by code. Their sentences are in its folder, in `messages/<language>/errors.json`. A
 * language that the plugin lacks is answered in English.
 *
 * @example
 * const ERRORS = new PluginErrors({
 *   'seats.none_left': { status: 409, when: 'A workspace has no seat left.', args: { workspace: 'atlas' } },
 * });
 * throw ERRORS.refusal('seats.none_left', { args: { workspace: 'atlas' } });
 */
export class PluginErrors<Code extends string = string> {
  constructor(readonly catalogue: Readonly<Record<Code, Refusal>>) {}

  refusal(code: Code, details?: ErrorDetails, options?: ErrorOptions): ServiceError {
    return new PluginError(code, this.catalogue[code], details, options);
  }
}

/** A refusal whose code is none of the service's own. */
class PluginError extends ServiceError {
  constructor(
    code: string,
    private readonly own: Refusal,
    details?: ErrorDetails,
    options?: ErrorOptions,
  ) {
    super(code as ErrorCode, details, options);
  }

  override get refusal(): Refusal {
    return this.own;
  }
}
