import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { UserTypeRule } from './user-type-rule';

/**
 * The rule of user types of this app, as its configuration: every module that changes permissions or memberships uses
 * the same one.
 */
@Module({})
export class UserTypeRuleModule {
  static register(rule: Type<UserTypeRule>): DynamicModule {
    return {
      module: UserTypeRuleModule,
      global: true,
      providers: [{ provide: UserTypeRule, useClass: rule }],
      exports: [UserTypeRule],
    };
  }
}
