import { type CanActivate, createParamDecorator, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { UnauthorizedException } from '@nestjs/common';
import { UserAdministrationError } from '../user-administration-error.ts';
import type { WebhookEvent } from '../webhooks/webhook-event.ts';
import { WebhookReceiver } from '../webhooks/webhook-receiver.ts';
import { rawBody } from './raw-body.ts';

type Request = Parameters<typeof rawBody>[0] & { userEvent?: WebhookEvent };

/** Admits deliveries with a valid signature and time stamp. Answers 401 to all other requests. */
@Injectable()
export class UserEventGuard implements CanActivate {
  constructor(@Inject(WebhookReceiver) private readonly receiver: WebhookReceiver) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    const body = await rawBody(request);
    try {
      request.userEvent = this.receiver.verify(body, request.headers);
      return true;
    } catch (error) {
      if (!(error instanceof UserAdministrationError)) throw error;
      throw new UnauthorizedException(error.detail);
    }
  }
}

/** A parameter decorator for the event that `UserEventGuard` has verified. */
export const CurrentUserEvent = createParamDecorator(
  (_: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<Request>().userEvent,
);
