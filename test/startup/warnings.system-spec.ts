import { ServiceProcess } from '../support/service-process';

/** As pino writes it. */
const WARN = 40;

/** Nobody listens at these addresses; the service starts, and says that it is not ready. */
const ENVIRONMENT = {
  DATABASE_URL: 'postgres://127.0.0.1:1/none',
  JWT_JWKS_URI: 'http://127.0.0.1:1/jwks',
  STATUS_TOKEN_SECRET: 'a secret for these tests, of more than 32 bytes',
};

it('a key set without an audience causes one warning at the start', async () => {
  const service = await ServiceProcess.start(ENVIRONMENT);
  await service.stop();
  const warnings = service.lines
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as { level: number; msg: string })
    .filter(({ level, msg }) => level === WARN && msg.startsWith('JWT_'));
  expect(warnings).toEqual([
    expect.objectContaining({ msg: expect.stringMatching(/^JWT_JWKS_URI is used without JWT_AUDIENCE/) as string }),
  ]);
});
