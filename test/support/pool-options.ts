import { readDatabase } from '../../src/config/database.config';
import { EnvironmentReader } from '../../src/config/environment';

const { databaseBounds: bounds, databasePreparedStatements: prepares } = readDatabase(
  new EnvironmentReader([], { NODE_ENV: 'test' }),
);

/** How a pool is made with the defaults of the environment. */
export const POOL_OPTIONS = { bounds, prepares };
