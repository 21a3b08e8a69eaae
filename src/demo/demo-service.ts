import type { DataSource } from 'typeorm';
import { Emulator } from '../testing/emulator';
import { tokensFor } from '../testing/start-service';

/** The service on a free port, with the demo directory in a database that ends with it. */
export interface DemoService {
  url: string;
  dataSource: DataSource;
  tokenOf(userId: string): string;
  close(): Promise<void>;
}

/** Starts the service as tests do: it ignores the environment, because a demo must never use a real directory. */
export async function startDemoService(): Promise<DemoService> {
  const emulator = await Emulator.start({});
  const { url, dataSource, accessTokens } = emulator;
  return { url, dataSource, tokenOf: tokensFor(accessTokens).tokenOf, close: () => emulator.close() };
}
