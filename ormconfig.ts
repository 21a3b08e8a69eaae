import 'reflect-metadata';
import { loadConfig } from './src/config/load-config';
import { dataSourceOptions } from './src/database/data-source';
import { joinDatabase } from './src/database/open-database';
import { MigratingDataSource } from './src/database/migrate';
import { DIRECTORY_ENTITIES } from './src/directory/entities';

/** For TypeORM's own command line: `npm run migration:run`. */
export default joinDatabase(loadConfig()).then(
  (database) => new MigratingDataSource(dataSourceOptions(database, DIRECTORY_ENTITIES)),
);
