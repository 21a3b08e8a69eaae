import { type CanActivate, createParamDecorator, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { UnauthorizedException } from '@nestjs/common';
import { UserAdministrationError } from '../user-administration-error.ts';
import type { WebhookEvent } from '../webhooks/webhook-event.ts';
import { WebhookReceiver } from '../webhooks/webhook-receiver.ts';
import { rawBody } from './raw-body.ts';

type Request = Parameters<typeof rawBody>[0] & { userEvent?: WebhookEvent };

/** Lets in what the service signed, and nothing else: 401. */
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

/** The event that the guard let in. */
export const CurrentUserEvent = createParamDecorator(
  (_: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<Request>().userEvent,
);
