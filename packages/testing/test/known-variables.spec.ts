import { namesOf } from '../../../src/config/variables';
import { PLUGINS } from '../../../src/installed-plugins';
import { refuseUnknownVariables } from '../src/known-variables';

it('the kit takes the variables of the service and of all its plugins, and no other', () => {
  expect(() => refuseUnknownVariables(Object.fromEntries(namesOf(PLUGINS).map((name) => [name, '1'])))).not.toThrow();
  expect(() => refuseUnknownVariables({ WEBHOOK_ALLOW_PRIVAT: 'true' })).toThrow(
    'env: WEBHOOK_ALLOW_PRIVAT is no variable of this service. The nearest one is WEBHOOK_ALLOW_PRIVATE.',
  );
});
