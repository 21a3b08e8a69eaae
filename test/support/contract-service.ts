import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Environment } from '../../src/config/environment';
import { loadConfig } from '../../src/config/load-config';
import { testDatabaseUrl, testsEmulator } from '../setup/test-environment';
import { createDataSource } from '../../src/database/data-source';
import { DirectoryBuilder } from './directory-builder';
import { tokensFor } from '../../packages/testing/src/start-service';
import { startTestService, type TestService } from './test-service';
import { useStarted } from './use-started';

/** What a suite of the contract may know of the service: its answers and its database. */
export type ContractService = Omit<TestService, 'app' | 'failNext'>;

/**
 * The service that the suites of the contract ask. With `TEST_EMULATOR=true` it is the emulator as built, in a process of
 * its own, so the same suites show that the emulator is the service.
 */
export function startContractService(environment: Environment = {}): Promise<ContractService> {
  return testsEmulator() ? startEmulator(environment) : startTestService({ environment });
}

/** The same for all tests of a suite. */
export function useContractService(environment?: Environment): ContractService {
  return useStarted(() => startContractService(environment));
}

type EmulatorModule = typeof import('../../packages/testing/src/emulator-process');

async function startEmulator(environment: Environment): Promise<ContractService> {
  // As other teams run it: from the build, and not compiled anew in each process.
  const { EmulatorProcess } = (await import(
    join(process.cwd(), 'packages/testing/build/emulator-process.js')
  )) as EmulatorModule;
  const emulator = new EmulatorProcess();
  try {
    const env = { JWT_SECRET: randomBytes(32).toString('hex'), ...environment };
    const { url, databaseUrl } = await emulator.call('start', { directory: [], databaseUrl: testDatabaseUrl(), env });
    const config = loadConfig({ PORT: '0', DATABASE_URL: databaseUrl, ...env });
    const dataSource = await createDataSource({ url: databaseUrl, poolSize: 1 }).initialize();
    return {
      url,
      config,
      dataSource,
      directory: new DirectoryBuilder(dataSource),
      ...tokensFor(config.accessTokens),
      close: async () => {
        await dataSource.destroy();
        await emulator.close();
      },
    };
  } catch (error) {
    await emulator.close();
    throw error;
  }
}
