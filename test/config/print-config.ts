import { loadConfig } from '../../src/config/load-config';

/** A process that prints its configuration from the environment and the `.env` file of its folder. */
const { port, host, accessTokens } = loadConfig();
process.stdout.write(JSON.stringify({ port, host, issuers: accessTokens.issuers }));
