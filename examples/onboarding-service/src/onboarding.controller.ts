import { Body, Controller, Get, HttpCode, Post, Req, UseGuards } from '@nestjs/common';
import { UserAdministrationClient } from '@user-administration/client';
import { ActiveUserGuard, InjectUserAdministration } from '@user-administration/client/nest';
import { Farewells } from './farewells';
import { SignInGuard } from './sign-in.guard';

/** Where everybody begins. */
const FIRST_WORKSPACE = 'atlas';

@Controller()
@UseGuards(SignInGuard, ActiveUserGuard)
export class OnboardingController {
  constructor(
    @InjectUserAdministration('changes') private readonly users: UserAdministrationClient,
    private readonly farewells: Farewells,
  ) {}

  /** Puts new starters into their first workspace. */
  @Post('starters')
  @HttpCode(204)
  async welcome(@Body() { userIds }: { userIds: string[] }): Promise<void> {
    await this.users.users.assignWorkspaces({ userIds, workspaces: [FIRST_WORKSPACE] });
  }

  @Get('me')
  me(@Req() request: { user: { sub: string } }): { id: string } {
    return { id: request.user.sub };
  }

  @Get('farewells')
  list(): string[] {
    return this.farewells.ids;
  }
}
