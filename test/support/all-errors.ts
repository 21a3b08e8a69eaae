import { ERRORS, type Refusal } from '../../src/contract/errors';
import { PLUGINS } from '../../src/installed-plugins';

/** The refusals of the service and of its plugins. */
export const ALL_ERRORS = Object.assign({}, ERRORS, ...PLUGINS.map(({ errors }) => errors?.catalogue)) as Record<
  string,
  Refusal
>;
