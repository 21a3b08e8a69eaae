import {
  type CanActivate,
  createParamDecorator,
  type ExecutionContext,
  type HttpException,
  Inject,
  Injectable,
  PayloadTooLargeException,
  ServiceUnavailableException,
  UnauthorizedException,
} from '@nestjs/common';
import { UserAdministrationError } from '../user-administration-error.ts';
import type { WebhookEvent } from '../webhooks/webhook-event.ts';
import { WebhookReceiver } from '../webhooks/webhook-receiver.ts';
import { rawBody } from './raw-body.ts';

type Request = Parameters<typeof rawBody>[0] & { userEvent?: WebhookEvent };

/**
 * Admits deliveries with a valid signature and time stamp. Answers 401 to all other requests: before it reads a body, if their headers show
 * it. Answers 413 to a body that is too large, and 503 while too many bodies are arriving.
 */
@Injectable()
export class UserEventGuard implements CanActivate {
  constructor(@Inject(WebhookReceiver) private readonly receiver: WebhookReceiver) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    try {
      request.userEvent = await this.receiver.read(rawBody(request), request.headers);
      return true;
    } catch (error) {
      throw error instanceof UserAdministrationError ? answerTo(error) : error;
    }
  }
}

function answerTo({ code, detail }: UserAdministrationError): HttpException {
  if (code === 'client.webhook_too_large') return new PayloadTooLargeException(detail);
  if (code === 'client.webhook_busy') return new ServiceUnavailableException(detail);
  return new UnauthorizedException(detail);
}

/** A parameter decorator for the event that `UserEventGuard` has verified. */
export const CurrentUserEvent = createParamDecorator(
  (_: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<Request>().userEvent,
);
