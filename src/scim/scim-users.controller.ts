import { ChangeScimUserService } from './change-scim-user.service';
import { CreateScimUserService } from './create-scim-user.service';
import { DeleteScimUserService } from './delete-scim-user.service';
import { type ProvisionedUser, USERS } from './provisioned-user';
import { ResourceAnswers } from './resource-answers';
import { ResourceController } from './resource.controller';
import { ScimController } from './scim-controller.decorator';

@ScimController('Users')
export class ScimUsersController extends ResourceController<ProvisionedUser> {
  constructor(
    answers: ResourceAnswers,
    creation: CreateScimUserService,
    change: ChangeScimUserService,
    deletion: DeleteScimUserService,
  ) {
    super(USERS, answers, creation, change, deletion);
  }
}
