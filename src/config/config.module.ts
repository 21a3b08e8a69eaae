import { type DynamicModule, Module } from '@nestjs/common';
import { CONFIG, type Config } from './config';

@Module({})
export class ConfigModule {
  static register(config: Config): DynamicModule {
    return {
      module: ConfigModule,
      global: true,
      providers: [{ provide: CONFIG, useValue: config }],
      exports: [CONFIG],
    };
  }
}
