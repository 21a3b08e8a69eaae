import { isServiceError, service } from '../service.ts';
import { openId } from './open-id.ts';
import { endSession, session, tokenRefused, useToken } from './session.ts';

/** Asks the service who the holder of a token is. Whoever is no administrator has nothing to do here. */
export async function checkToken(token: string): Promise<void> {
  useToken(token);
  try {
    const me = await service.me();
    if (me.administrator) session.set({ kind: 'signed_in', me });
    else endSession('no_administrator');
  } catch (error) {
    if (session.get().kind !== 'checking') return;
    if (isServiceError(error) && (error.status === 401 || error.code === 'client.token_failed')) tokenRefused(token);
    else session.set({ kind: 'unreachable', error, retry: () => void checkToken(token) });
  }
}

/** Signs in by the identity provider, if its answer stands in the address. */
export function followOpenId(): void {
  openId?.finish((news) => {
    if ('problem' in news) endSession('never', news.problem);
    else if (session.get().kind === 'signed_in') useToken(news.token, true);
    else void checkToken(news.token);
  });
}
