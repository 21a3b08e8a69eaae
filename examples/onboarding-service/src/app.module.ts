import { type DynamicModule, Module } from '@nestjs/common';
import type { TokenSource } from '@user-administration/client';
import { UserAdministrationModule, UserEventsModule } from '@user-administration/client/nest';
import { Farewells } from './farewells';
import { OnboardingController } from './onboarding.controller';

export interface AppSettings {
  baseUrl: string;
  /** With the scope `users:read`: the guard follows who is active. */
  readToken: TokenSource;
  /** With the scope `users:administer`, for assignments. */
  changeToken: TokenSource;
  webhookSecret: string;
}

@Module({})
export class AppModule {
  static register({ baseUrl, readToken, changeToken, webhookSecret }: AppSettings): DynamicModule {
    return {
      module: AppModule,
      imports: [
        UserAdministrationModule.forRoot({ baseUrl, token: readToken, isGlobal: true }),
        UserAdministrationModule.forRoot({ baseUrl, token: changeToken, name: 'changes', isGlobal: true }),
        UserEventsModule.forRoot({ path: 'hooks/users', secrets: webhookSecret }),
      ],
      controllers: [OnboardingController],
      providers: [Farewells],
    };
  }
}
