import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { JournalModule } from '../journal/journal.module';
import { AffectedTypes } from './affected-types.service';
import { UserTypeRule } from './user-type.rule';
import { UserTypeService } from './user-type.service';

@Module({})
export class UserTypesModule {
  /** @param rule the rule of user types. Every module that changes permissions or memberships uses the same one. */
  static register(rule: Type<UserTypeRule>): DynamicModule {
    return {
      module: UserTypesModule,
      global: true,
      imports: [JournalModule],
      providers: [AffectedTypes, UserTypeService, { provide: UserTypeRule, useClass: rule }],
      exports: [AffectedTypes, UserTypeService, UserTypeRule],
    };
  }
}
