import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { FairUse } from './fair-use';

/** Counts a request for its caller, whatever address it comes from. It runs after the guard that identifies the caller. */
@Injectable()
export class CallerFairUseGuard implements CanActivate {
  constructor(private readonly fairUse: FairUse) {}

  canActivate(context: ExecutionContext): boolean {
    const http = context.switchToHttp();
    const { user } = http.getRequest<Request & { user?: { kind: string; id: string } }>();
    if (user) this.fairUse.use('caller', `${user.kind} ${user.id}`, http.getResponse<Response>());
    return true;
  }
}
