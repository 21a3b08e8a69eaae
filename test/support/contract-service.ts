import type { Environment } from '../../src/config/environment';
import { startTestService, type TestService } from './test-service';
import { useStarted } from './use-started';

/** What a suite of the contract may know of the service: its answers and its database. */
export type ContractService = Omit<TestService, 'app' | 'failNext'>;

export function startContractService(environment: Environment = {}): Promise<ContractService> {
  return startTestService({ environment });
}

/** The same for all tests of a suite. */
export function useContractService(environment?: Environment): ContractService {
  return useStarted(() => startContractService(environment));
}
