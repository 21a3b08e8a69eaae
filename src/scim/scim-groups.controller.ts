import { TakesIdLists } from '../server/input.interceptor';
import { ChangeScimGroupService } from './change-scim-group.service';
import { CreateScimGroupService } from './create-scim-group.service';
import { DeleteScimGroupService } from './delete-scim-group.service';
import { GROUPS, type ProvisionedGroup } from './provisioned-group';
import { ResourceAnswers } from './resource-answers';
import { ResourceController } from './resource.controller';
import { ScimController } from './scim-controller.decorator';

@ScimController('Groups')
@TakesIdLists()
export class ScimGroupsController extends ResourceController<ProvisionedGroup> {
  constructor(
    answers: ResourceAnswers,
    creation: CreateScimGroupService,
    change: ChangeScimGroupService,
    deletion: DeleteScimGroupService,
  ) {
    super(GROUPS, answers, creation, change, deletion);
  }
}
