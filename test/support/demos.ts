import { PLUGINS } from '../../src/installed-plugins';

/** What the plugins of the service add to the demo directory. */
export const DEMOS = PLUGINS.flatMap((plugin) => plugin.app?.().demo ?? []);
