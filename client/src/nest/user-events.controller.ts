import {
  applyDecorators,
  Controller,
  HttpCode,
  Inject,
  Post,
  ServiceUnavailableException,
  type Type,
  UseGuards,
} from '@nestjs/common';
import type { WebhookEvent } from '../webhooks/webhook-event.ts';
import { WebhookReceiver } from '../webhooks/webhook-receiver.ts';
import { CurrentUserEvent, UserEventGuard } from './user-event.guard.ts';
import { UserEventHandlers } from './user-event.handlers.ts';

/** Creates a controller that receives events at this path. */
export function userEventsController(path: string, decorators: ClassDecorator[]): Type {
  @Controller(path)
  @UseGuards(UserEventGuard)
  @applyDecorators(...decorators)
  class UserEventsController {
    constructor(
      @Inject(WebhookReceiver) private readonly receiver: WebhookReceiver,
      @Inject(UserEventHandlers) private readonly handlers: UserEventHandlers,
    ) {}

    /** Answers 204 to a repeated delivery as well: after an error the service would send it again. */
    @Post()
    @HttpCode(204)
    async receive(@CurrentUserEvent() event: WebhookEvent): Promise<void> {
      const handling = await this.receiver.handleOnce(event, (one) => this.handlers.handle(one)).catch(failed);
      if (handling === 'running') throw new ServiceUnavailableException('This event is being handled.');
    }
  }
  return UserEventsController;
}

/** Whatever a method throws is answered 500: an exception could choose 410, which disables the webhook. Nest logs the cause, too. */
function failed(cause: unknown): never {
  const { message = String(cause) } = (cause ?? {}) as Partial<Error>;
  throw new Error(message, { cause });
}
