import 'reflect-metadata';
import { join } from 'node:path';
import { Controller, Get, Module, ValidationPipe } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { PassportModule } from '@nestjs/passport';
import { TypeOrmModule } from '@nestjs/typeorm';
import helmet from 'helmet';
import { AcceptLanguageResolver, I18nModule } from 'nestjs-i18n';
import { DIRECTORY_ENTITIES } from '../../src/directory/entities';
import { JwtStrategy } from './jwt.strategy';
import { UsersController } from './users.controller';
import { UsersService } from './users.service';

@Controller('health/ready')
class ReadyController {
  @Get()
  ready(): { status: string } {
    return { status: 'ok' };
  }
}

/**
 * The usual way: Nest as its documentation sets it up, with entities that are loaded, changed in a loop and saved. It does less than the
 * service: it writes no journal, does not lock what it reads, and logs nothing.
 */
@Module({
  imports: [
    TypeOrmModule.forRoot({ type: 'postgres', url: process.env.DATABASE_URL, entities: DIRECTORY_ENTITIES }),
    TypeOrmModule.forFeature(DIRECTORY_ENTITIES),
    PassportModule,
    I18nModule.forRoot({
      fallbackLanguage: 'en',
      loaderOptions: { path: join(__dirname, '../../src/i18n/messages') },
      resolvers: [AcceptLanguageResolver],
      logging: false,
    }),
  ],
  controllers: [UsersController, ReadyController],
  providers: [UsersService, JwtStrategy],
})
class UsualModule {}

async function main(): Promise<void> {
  const app = await NestFactory.create(UsualModule, { logger: ['error'] });
  app.use(helmet());
  app.useGlobalPipes(new ValidationPipe());
  await app.listen(Number(process.env.PORT), '127.0.0.1');
}

void main();
