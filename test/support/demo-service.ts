import { loadDemoDirectory } from '../../src/plugins/transfer/demo-directory';
import { UserTypeService } from '../../src/users/user-type/user-type.service';
import { startTestService, type TestService } from './test-service';
import { useStarted } from './use-started';
import { DEMOS } from './demos';

/** A service with the demo directory, as `npm start` finds it: nothing was written before. */
export async function startDemoService(environment: Record<string, string> = {}): Promise<TestService> {
  const service = await startTestService({ environment });
  await loadDemoDirectory(service.dataSource, service.app.get(UserTypeService), DEMOS);
  return service;
}

/** The same for all tests of a suite. */
export function useDemoService(environment?: Record<string, string>): TestService {
  return useStarted(() => startDemoService(environment));
}
