import { BadRequestException, Injectable, UnauthorizedException } from '@nestjs/common';
import { verify } from 'jsonwebtoken';
import { DataSource, type EntityManager } from 'typeorm';
import { USER_TYPES } from '../../src/contract/directory';
import { Group } from '../../src/directory/group.entity';
import { GroupMembership } from '../../src/directory/group-membership.entity';
import { GroupPermission } from '../../src/directory/group-permission.entity';
import { User } from '../../src/directory/user.entity';
import { UserPermission } from '../../src/directory/user-permission.entity';
import { Workspace } from '../../src/directory/workspace.entity';
import { WorkspaceMembership } from '../../src/directory/workspace-membership.entity';
import { WorkspacePermission } from '../../src/directory/workspace-permission.entity';

@Injectable()
export class UsersService {
  constructor(private readonly dataSource: DataSource) {}

  async assign(userIds: string[], workspaceIds: string[], groupIds: string[]): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      for (const userId of userIds) {
        const user = await manager.findOneBy(User, { id: userId });
        if (!user) throw new BadRequestException('Please select a valid User.');
        for (const workspaceId of workspaceIds) {
          const workspace = await manager.findOneBy(Workspace, { id: workspaceId });
          if (!workspace) throw new BadRequestException('Please select a valid Workspace.');
          await manager.getRepository(WorkspaceMembership).save({ userKey: user.key, workspaceKey: workspace.key });
        }
        for (const groupId of groupIds) {
          const group = await manager.findOneBy(Group, { id: groupId });
          if (!group) throw new BadRequestException('Please select a valid Group.');
          const { key: groupKey, workspaceKey } = group;
          await manager.getRepository(GroupMembership).save({ userKey: user.key, workspaceKey, groupKey });
        }
        user.type = await this.typeOf(manager, user.key);
        await manager.getRepository(User).save(user);
      }
    });
  }

  async toggleStatus(id: string, token: string): Promise<void> {
    const { sub } = verify(token, process.env.JWT_SECRET ?? '') as { sub: string };
    await this.dataSource.transaction(async (manager) => {
      const granter = await manager.findOneBy(User, { id: sub, status: 'active', type: 'administrator' });
      const user = await manager.findOneBy(User, { id });
      if (!granter || !user) throw new UnauthorizedException();
      user.status = user.status === 'active' ? 'inactive' : 'active';
      await manager.getRepository(User).save(user);
    });
  }

  private async typeOf(manager: EntityManager, userKey: string): Promise<User['type']> {
    const relations = { permission: true };
    const direct = await manager.find(UserPermission, { where: { userKey }, relations });
    const workspaces = await manager.find(WorkspaceMembership, { where: { userKey } });
    const groups = await manager.find(GroupMembership, { where: { userKey } });
    const byWorkspace = await manager.find(WorkspacePermission, {
      where: workspaces.map(({ workspaceKey }) => ({ workspaceKey })),
      relations,
    });
    const byGroup = await manager.find(GroupPermission, {
      where: groups.map(({ groupKey }) => ({ groupKey })),
      relations,
    });
    const granted = [...direct, ...byWorkspace, ...byGroup].map(({ permission }) => permission?.grants ?? 'guest');
    return USER_TYPES.findLast((type) => granted.includes(type)) ?? 'guest';
  }
}
