// The same app under Jest and Vitest.
const { tryApp } = require('./app.cjs');

test('the app works with the service', () => tryApp([]), 180_000);
