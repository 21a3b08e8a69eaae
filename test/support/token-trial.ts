import { SignJWT, type JWTPayload } from 'jose';
import { startTestService, type TestService, type TestServiceOptions } from '../../src/testing/start-service';
import { assign, manageStatus, NOT_PERMITTED, STATUS_UPDATED, UNAUTHENTICATED } from './ask';
import { handmade, inSeconds, type Part } from './forged-tokens';
import { everyRow, writeSmallDirectory } from './small-directory';

export const SECRET = 'the secret that a suite and its service share';
export const SECRET_KEY = Buffer.from(SECRET);

/** What an administrator's empty assignment is answered: whoever reads it has been let in. */
export const ADMITTED = '{"status":400,"message":"Please select at least one user."}';

/** The claims of an administrator's token, with some of them changed; `undefined` leaves a claim out. */
export function claims(changed: object = {}): JWTPayload {
  return { sub: 'ada', iat: inSeconds(0), exp: inSeconds(300), ...changed };
}

/** Signed by an independent implementation of the standards. */
export function signed(payload: JWTPayload, header: object = {}): Promise<string> {
  return new SignJWT(payload).setProtectedHeader({ alg: 'HS256', ...header }).sign(SECRET_KEY);
}

export const withClaims = (changed: object) => (): string => handmade(SECRET, claims(changed));
export const withHeader = (header: object) => (): string => handmade(SECRET, claims(), { alg: 'HS256', ...header });
export const withPayload = (payload: Part) => (): string => handmade(SECRET, payload);

/** A running service that tokens are tried on, in each place where a request can carry one. */
export interface TokenTrial {
  service: TestService;
  /** Refused as a caller on both routes, and as a grant; each with the body of its route, and nothing written. */
  expectRefused(token: string): Promise<void>;
  /** As {@link expectRefused}, for text that no header can carry. */
  expectRefusedInBody(token: unknown): Promise<void>;
  /** Let in as a caller, and good for a grant. */
  expectAccepted(token: string): Promise<void>;
  close(): Promise<void>;
}

/** @param rightToken makes a token that the service accepts, to stand beside the one that is tried */
export async function startTokenTrial(
  options: TestServiceOptions = { environment: { JWT_SECRET: SECRET } },
  rightToken = (): Promise<string> => signed(claims()),
): Promise<TokenTrial> {
  const service = await startTestService(options);
  await writeSmallDirectory(service);

  const expectRefusedInBody = async (token: unknown): Promise<void> => {
    const before = await everyRow(service);
    const answer = await manageStatus(service, await rightToken(), { id: 'max', token });
    expect({ status: answer.status, text: answer.text }).toEqual({ status: 401, text: NOT_PERMITTED });
    expect(await everyRow(service)).toEqual(before);
  };
  return {
    service,
    expectRefusedInBody,
    expectRefused: async (token) => {
      const before = await everyRow(service);
      const caller = await assign(service, token, { userIds: ['ben'], workspaces: ['atlas'] });
      expect({ status: caller.status, text: caller.text }).toEqual({ status: 401, text: UNAUTHENTICATED });
      const other = await manageStatus(service, token, { id: 'max', token: await rightToken() });
      expect({ status: other.status, text: other.text }).toEqual({ status: 401, text: NOT_PERMITTED });
      expect(await everyRow(service)).toEqual(before);
      await expectRefusedInBody(token);
    },
    expectAccepted: async (token) => {
      expect((await assign(service, token, {})).text).toBe(ADMITTED);
      expect((await manageStatus(service, await rightToken(), { id: 'ben', token })).text).toBe(STATUS_UPDATED);
    },
    close: () => service.close(),
  };
}
