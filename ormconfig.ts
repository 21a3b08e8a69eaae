import 'reflect-metadata';
import { loadConfig } from './src/load-config';
import { dataSourceOptions } from './src/database/data-source';
import { PLUGINS } from './src/installed-plugins';
import { joinDatabase } from './src/database/open-database';
import { MigratingDataSource } from './src/database/migrate';
import { DIRECTORY_ENTITIES } from './src/directory/entities';

/** For TypeORM's own command line: `npm run migration:run`. */
export default joinDatabase(loadConfig(), PLUGINS).then(
  (database) => new MigratingDataSource(dataSourceOptions(database, PLUGINS, DIRECTORY_ENTITIES), PLUGINS),
);
