import { loadConfig } from '../../src/config/load-config';

/** A process that says what it is configured with, by its environment and the `.env` file of its folder. */
const { port, host, accessTokens } = loadConfig();
process.stdout.write(JSON.stringify({ port, host, issuers: accessTokens.issuers }));
