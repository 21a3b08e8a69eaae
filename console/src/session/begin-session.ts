import type { Me } from '@user-administration/client';
import { directoryChanged } from '../directory-version.ts';
import { onForbidden, service } from '../service.ts';
import { isServiceError, isSignedOut } from '../service-errors.ts';
import { takeSignedOut } from '../sign-in/begun.ts';
import type { SignInProblem } from '../sign-in/problem.ts';
import { askTabs, hearTabs, tellTabs, type TokenMessage, type TokenSource } from '../sign-in/tabs.ts';
import { openId } from './open-id.ts';
import * as current from './session.ts';
import { endSession, secondsLeft, session, useToken } from './session.ts';

/** Asks the service who the holder of a token is. Whoever is no administrator and may not read has nothing to do here. */
export async function signIn(token: string, source: TokenSource): Promise<void> {
  const before = session.get();
  const isOverPage = before.kind === 'signed_in';
  if (!isOverPage) session.set({ kind: 'checking' });
  useToken(token, source);
  try {
    const me = await service.me();
    if (!mayRead(me)) return endSession('no_administrator', { who: me });
    // Of somebody else, nothing may stay.
    if (isOverPage && before.me.id !== me.id) session.set({ kind: 'checking' });
    session.set({ kind: 'signed_in', me });
    tellToken();
    if (isOverPage) directoryChanged();
  } catch (error) {
    if (current.currentToken()?.token !== token) return;
    if (isSignedOut(error)) current.tokenRefused(token);
    else if (isOverPage) current.askAgain('ended', { error });
    else session.set({ kind: 'unreachable', error, retry: () => void signIn(token, source) });
  }
}

/** Tells the other tabs what they may use as well. */
function tellToken(): void {
  const mine = current.currentToken();
  if (mine) tellTabs({ kind: 'token', ...mine, renews: openId?.canRenew ?? false });
}

/** A renewed token of the same person changes nothing that one sees. */
function renew(token: string, source: TokenSource): void {
  const state = session.get();
  if (state.kind !== 'signed_in' || state.again) void signIn(token, source);
  else useToken(token, source);
}

/** Another tab renews the token of this one. */
let isRenewedElsewhere = false;

export async function isRenewed(): Promise<boolean> {
  if (openId?.canRenew) return true;
  if (isRenewedElsewhere) isRenewedElsewhere = (await askForToken())?.renews ?? false;
  return isRenewedElsewhere;
}

const isToken = (message: { kind: string }): message is TokenMessage => message.kind === 'token';
const askForToken = () => askTabs({ kind: 'ask' }, isToken);

function takeFromTab({ token, source, renews }: TokenMessage): void {
  const state = session.get();
  if (state.kind !== 'signed_in' || !current.isOfSamePerson(token)) return;
  const left = secondsLeft(token) ?? 0;
  if (left <= 0 || (!state.again && left <= (secondsLeft() ?? 0))) return;
  isRenewedElsewhere = renews;
  renew(token, source);
}

/** Signs in by what there is: the address, the answer of the provider, this tab, another tab, the provider without a word. */
export async function beginSession(tokenOfAddress: string | undefined): Promise<void> {
  openId?.finish((news) => {
    if (!('token' in news)) return fail('problem' in news ? news.problem : undefined);
    renew(news.token, 'provider');
    tellToken();
  });
  hearTabs((message) => {
    const { kind } = session.get();
    if (message.kind === 'ask' && kind === 'signed_in') tellToken();
    if (message.kind === 'signed_out' && kind !== 'signed_out') endSession('signed_out');
    if (message.kind === 'token') takeFromTab(message);
  });
  onForbidden(() => void lookAtPower());
  // Back from the provider by the button of the browser: it has answered nothing.
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted && session.get().kind === 'checking') endSession('never');
  });
  if (tokenOfAddress) return signIn(tokenOfAddress, 'pasted');
  if (openId?.isUnderWay) return;
  if (takeSignedOut()) return session.set({ kind: 'signed_out', because: 'signed_out' });
  const pasted = current.pastedToken();
  if (pasted !== undefined && (secondsLeft(pasted) ?? 1) > 0) return signIn(pasted, 'pasted');
  const given = await askForToken();
  isRenewedElsewhere = given?.renews ?? false;
  if (given) return signIn(given.token, given.source);
  if (openId?.wasSignedIn) fail(await openId.begin('none'), true);
  else endSession('never');
}

/** @param isLeaving without a problem, the page goes to the provider */
function fail(problem: SignInProblem | undefined, isLeaving = false): void {
  if (isLeaving && !problem) return;
  const state = session.get();
  if (state.kind === 'signed_in') return current.askAgain(state.again ?? 'early', { problem });
  endSession('never', { problem });
  if (problem?.kind === 'handed_over') close();
}

let isLooking = false;

const mayRead = (me: Me): boolean => me.administrator || me.mayRead === true;

/** Something was forbidden: who has lost the power to administer sees one sentence, and not an error in each part of the page. */
async function lookAtPower(): Promise<void> {
  if (isLooking || session.get().kind !== 'signed_in') return;
  isLooking = true;
  const me = await service.me().catch((error: unknown) => (isServiceError(error) ? undefined : Promise.reject(error)));
  isLooking = false;
  const state = session.get();
  if (me && !mayRead(me)) endSession('no_administrator', { who: me });
  else if (me && state.kind === 'signed_in') session.set({ ...state, me });
}
