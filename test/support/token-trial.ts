import { SignJWT, type JWTPayload } from 'jose';
import type { Environment } from '../../src/config/environment';
import { assign, manageStatus, NOT_PERMITTED, STATUS_UPDATED, UNAUTHENTICATED } from './ask';
import { type TestService, startTestService } from './test-service';
import { handmade, inSeconds } from './forged-tokens';
import { everyRow, writeSmallDirectory } from './small-directory';

export const SECRET = 'the secret that a suite and its service share';
export const SECRET_KEY = Buffer.from(SECRET);

/** The answer to an administrator's empty assignment: it shows that the caller was admitted. */
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

/** A running service on which tokens are tried, in each place of a request that can contain one. */
export interface TokenTrial {
  service: TestService;
  /** Refused as a caller on both routes, and as a grant, each in the format of its route, without any write. */
  expectRefused(token: string): Promise<void>;
  /** As {@link expectRefused}, for text that no header can contain. */
  expectRefusedInBody(token: unknown): Promise<void>;
  /** Admitted as a caller, and accepted as a grant. */
  expectAccepted(token: string): Promise<void>;
  close(): Promise<void>;
}

/** @param rightToken makes an accepted token, to send together with the tested one */
export async function startTokenTrial(
  environment: Environment = { JWT_SECRET: SECRET },
  rightToken = (): Promise<string> => signed(claims()),
): Promise<TokenTrial> {
  const service = await startTestService({ environment });
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
