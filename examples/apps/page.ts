// A page that uses the packed package in a browser.
import { UserAdministrationClient, UserAdministrationError } from '@user-administration/client';

const client = new UserAdministrationClient({ baseUrl: location.origin, token: () => prompt('Token') ?? '' });

async function show(): Promise<void> {
  try {
    for await (const { id, displayName } of client.users.list({ status: 'active' }))
      document.body.append(displayName ?? id);
  } catch (error) {
    if (error instanceof UserAdministrationError) document.body.append(error.detail);
  }
}

void show();
