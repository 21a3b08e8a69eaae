// An app of another team and its test, on the Nest that is installed, with the modules of its own that are named:
// node app.cjs [typeorm] [i18n] [swagger]
require('reflect-metadata');
const assert = require('node:assert/strict');
const { join } = require('node:path');
const { Controller, Get, Module, UseGuards } = require('@nestjs/common');
const { NestFactory } = require('@nestjs/core');
const { ActiveUserGuard, UserAdministrationModule } = require('@user-administration/client/nest');
const { startUserAdministration } = require('@user-administration/testing');

/** Of the app's own versions, which the test kit must not meet. */
const OWN = {
  typeorm: () => {
    const { TypeOrmModule } = require('@nestjs/typeorm');
    return TypeOrmModule.forRoot({ type: 'postgres', host: '127.0.0.1', port: 1, manualInitialization: true });
  },
  i18n: () => {
    const { AcceptLanguageResolver, I18nModule } = require('nestjs-i18n');
    const loaderOptions = { path: join(process.cwd(), 'i18n') };
    return I18nModule.forRoot({
      fallbackLanguage: 'en',
      loaderOptions,
      resolvers: [AcceptLanguageResolver],
      logging: false,
    });
  },
};

async function tryApp(own) {
  const users = await startUserAdministration();
  const signIn = {
    canActivate(context) {
      const request = context.switchToHttp().getRequest();
      request.user = { sub: request.headers['x-user'] };
      return true;
    },
  };
  class AppController {
    get() {
      return 'in';
    }
  }
  Controller()(AppController);
  const method = Object.getOwnPropertyDescriptor(AppController.prototype, 'get');
  UseGuards(signIn, ActiveUserGuard)(AppController.prototype, 'get', method);
  Get()(AppController.prototype, 'get', method);
  class AppModule {}
  Module({
    imports: [
      UserAdministrationModule.forRoot({ baseUrl: users.url, token: users.serviceToken() }),
      ...Object.keys(OWN).flatMap((name) => (own.includes(name) ? [OWN[name]()] : [])),
    ],
    controllers: [AppController],
  })(AppModule);
  const app = await NestFactory.create(AppModule, { logger: ['error'] });
  if (own.includes('swagger')) {
    const { DocumentBuilder, SwaggerModule } = require('@nestjs/swagger');
    const document = SwaggerModule.createDocument(app, new DocumentBuilder().build());
    assert.deepEqual(Object.keys(document.paths), ['/']);
  }
  await app.listen(0, '127.0.0.1');
  const enter = async () => (await fetch(await app.getUrl(), { headers: { 'x-user': 'ben' } })).status;
  assert.equal(await enter(), 200);
  await users.client.users.assignStatus({ userIds: ['ben'], status: 'inactive' });
  const { subject } = await users.events.first('user.status.changed');
  assert.equal(subject, 'ben');
  while ((await enter()) === 200);
  await users.reset();
  assert.equal((await users.client.users.get('ben')).status, 'active');
  assert.equal((await users.events.all()).length, 0);
  await app.close();
  await users.close();
}

module.exports = { tryApp };
if (require.main === module) tryApp(process.argv.slice(2)).then(() => console.log('ok'));
