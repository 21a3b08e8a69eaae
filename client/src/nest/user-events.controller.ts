import {
  applyDecorators,
  Controller,
  HttpCode,
  HttpException,
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

/** An exception of a method must not choose the answer: 410 would disable the webhook. Nest logs other errors, and answers 500. */
function failed(error: unknown): never {
  throw error instanceof HttpException ? new Error(error.message, { cause: error }) : error;
}
