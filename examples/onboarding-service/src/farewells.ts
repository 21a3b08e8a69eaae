import { Injectable } from '@nestjs/common';
import { UserEvent } from '@user-administration/client/nest';
import type { WebhookEvent } from '@user-administration/client/webhooks';

/** Who has left, as the webhooks of the service tell. */
@Injectable()
export class Farewells {
  readonly ids: string[] = [];

  @UserEvent('user.status.changed')
  note({ data }: WebhookEvent<'user.status.changed'>): void {
    if (data.user !== null && data.after?.status === 'inactive') this.ids.push(data.user);
  }
}
