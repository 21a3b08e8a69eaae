import { type DynamicModule, Module } from '@nestjs/common';
import type { TokenSource } from '@user-administration/client';
import { UserAdministrationModule, UserEventsModule } from '@user-administration/client/nest';
import { Farewells } from './farewells';
import { OnboardingController } from './onboarding.controller';

export interface AppSettings {
  baseUrl: string;
  token: TokenSource;
  webhookSecret: string;
}

@Module({})
export class AppModule {
  static register({ baseUrl, token, webhookSecret }: AppSettings): DynamicModule {
    return {
      module: AppModule,
      imports: [
        UserAdministrationModule.forRoot({ baseUrl, token, isGlobal: true }),
        UserEventsModule.forRoot({ path: 'hooks/users', secrets: webhookSecret }),
      ],
      controllers: [OnboardingController],
      providers: [Farewells],
    };
  }
}
