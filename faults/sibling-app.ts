import 'reflect-metadata';
import { once } from 'node:events';
import { Agent } from 'node:http';
import type { AddressInfo } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type CanActivate,
  Controller,
  type ExecutionContext,
  Get,
  type HttpException,
  Module,
  Req,
  UseGuards,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ActiveUserGuard, UserAdministrationModule } from '../client/src/nest/index.ts';
import { call } from './call';
import { monotonicMs, type Served, type SiblingOptions } from './sibling-process';

/** So many requests ask the guard itself, one after the other, and then others have their turn. */
const BATCH = 50;
const HTTP_CALLERS = 2;

interface Identified {
  headers: { authorization?: string };
  user: { sub: string | undefined };
}

/** Stands for the guard that verifies tokens: here the token is the id. */
class SignInGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Identified>();
    request.user = { sub: request.headers.authorization?.slice('Bearer '.length) };
    return true;
  }
}

const users: number[] = [];
const times: number[] = [];
const unknown: number[] = [];
const counts = { refused: 0, overHttp: 0 };
let known: string[] = [];
let isOver = false;

@Controller()
@UseGuards(SignInGuard, ActiveUserGuard)
class GuardedController {
  @Get()
  enter(@Req() request: Identified): string {
    noteEntry(known.indexOf(request.user.sub as string));
    return 'in';
  }
}

function noteEntry(user: number): void {
  users.push(user);
  times.push(monotonicMs());
}

function keepOut(status: number): void {
  if (status === 401) counts.refused += 1;
  else if (status === 503) unknown.push(monotonicMs());
  else throw new Error(`The guard answered ${status}.`);
}

function anyUser(): number {
  return Math.floor(Math.random() * known.length);
}

/** One request without the connection around it. */
async function ask(guard: ActiveUserGuard): Promise<void> {
  const user = anyUser();
  const request = { user: { sub: known[user] } };
  const context = { switchToHttp: () => ({ getRequest: () => request }) } as unknown as ExecutionContext;
  try {
    await guard.canActivate(context);
    noteEntry(user);
  } catch (error) {
    keepOut((error as HttpException).getStatus());
  }
}

async function askAlways(guard: ActiveUserGuard): Promise<void> {
  while (!isOver) {
    for (let count = 0; count < BATCH; count++) await ask(guard);
    await delay(1);
  }
}

async function callAlways(url: string, agent: Agent): Promise<void> {
  while (!isOver) {
    const { status } = await call(url, { agent, token: known[anyUser()] });
    counts.overHttp += 1;
    if (status !== 200) keepOut(status);
    await delay(1);
  }
}

async function main(): Promise<void> {
  const [options] = (await once(process, 'message')) as [SiblingOptions];
  const { baseUrl, token, whenSilent } = options;
  known = options.users;
  const settings = UserAdministrationModule.forRoot({ baseUrl, token, activeUsers: { whenSilent }, isGlobal: true });
  class SiblingModule {}
  Module({ imports: [settings], controllers: [GuardedController], providers: [ActiveUserGuard] })(SiblingModule);
  const app = await NestFactory.create(SiblingModule, { logger: ['error'] });
  await app.listen(0, '127.0.0.1');
  const { port } = (app.getHttpServer() as { address(): AddressInfo }).address();
  const agent = new Agent({ keepAlive: true });
  const work = [
    askAlways(app.get(ActiveUserGuard)),
    ...Array.from({ length: HTTP_CALLERS }, () => callAlways(`http://127.0.0.1:${port}/`, agent)),
  ];
  const stalls = monitorEventLoopDelay({ resolution: 5 });
  stalls.enable();
  process.send?.('ready');
  for (;;) {
    const [message] = (await once(process, 'message')) as ['count' | 'finish'];
    if (message === 'finish') break;
    process.send?.(users.length + counts.refused + unknown.length);
  }
  isOver = true;
  await Promise.all(work);
  const letIn = { users: Int32Array.from(users), times: Float64Array.from(times), unknown: Float64Array.from(unknown) };
  const served: Served = { ...letIn, ...counts, stallMs: stalls.max / 1e6 };
  process.send?.(served, () => process.exit(0));
}

void main();
