// A start and one call, with nothing but the test kit.
import { startUserAdministration } from '@user-administration/testing';

const began = performance.now();
const users = await startUserAdministration();
const ready = performance.now() - began;
await users.client.users.assignWorkspaces({ userIds: ['dee'], workspaces: ['atlas'] });
await users.close();
console.log(`Node ${process.version}: ready after ${ready.toFixed(0)} ms`);
