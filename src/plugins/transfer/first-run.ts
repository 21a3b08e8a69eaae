import type { INestApplicationContext } from '@nestjs/common';
import { getDataSourceToken } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import type { Demo } from '../door';
import { UserTypeService } from '../../users/user-type/user-type.service';
import { beganAsDemo, DEMO_ADMINISTRATORS, loadDemoDirectory } from './demo-directory';

/**
 * Loads the demo directory into an empty embedded database, so that a new user has something to administer.
 *
 * @returns its administrators, if the directory began as the demo directory, now or at an earlier start
 */
export async function prepareEmbeddedDirectory(
  app: INestApplicationContext,
  demos: readonly Demo[],
): Promise<readonly string[] | undefined> {
  const dataSource = app.get<DataSource>(getDataSourceToken());
  const isDemo =
    (await loadDemoDirectory(dataSource, app.get(UserTypeService, { strict: false }), demos)) ||
    (await beganAsDemo(dataSource));
  return isDemo ? DEMO_ADMINISTRATORS : undefined;
}
