import passport from 'passport';
import { startTestService, type TestService } from '../support/test-service';
import { type Answer, assign, UNAUTHENTICATED } from '../support/ask';
import { ADMITTED } from '../support/token-trial';

/** passport has one registry of strategies for the whole process. */
describe('several apps in one process', () => {
  const start = async (): Promise<TestService> => {
    const service = await startTestService();
    await service.directory.user('ada', { type: 'administrator' });
    return service;
  };
  const ask = (service: TestService, token: string): Promise<Answer> => assign(service, token, {});
  const registered = (): string[] =>
    Object.keys((passport as unknown as { _strategies: object })._strategies).filter((name) => name !== 'session');

  it('verify tokens by their own keys, each in its own directory', async () => {
    const [one, two] = [await start(), await start()];
    try {
      await two.dataSource.query(`UPDATE users SET status = 'inactive' WHERE id = 'ada'`);
      expect((await ask(one, one.tokenOf('ada'))).text).toBe(ADMITTED);
      expect((await ask(two, two.tokenOf('ada'))).text).toBe(UNAUTHENTICATED);
      expect((await ask(two, one.tokenOf('ada'))).text).toBe(UNAUTHENTICATED);
      expect((await ask(one, two.tokenOf('ada'))).text).toBe(UNAUTHENTICATED);
    } finally {
      await two.close();
      await one.close();
    }
  });

  it('keep answering while others of them stop, which leave nothing registered', async () => {
    const one = await start();
    try {
      const two = await start();
      expect(registered()).toHaveLength(2);
      await two.close();
      expect(registered()).toHaveLength(1);
      expect((await ask(one, one.tokenOf('ada'))).text).toBe(ADMITTED);
    } finally {
      await one.close();
    }
    expect(registered()).toEqual([]);
  });
});
