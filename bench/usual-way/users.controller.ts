import { Body, Controller, ForbiddenException, HttpCode, Post, Req, UseGuards } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import { ArrayNotEmpty, IsArray, IsOptional, IsString } from 'class-validator';
import { I18n, I18nContext } from 'nestjs-i18n';
import type { User } from '../../src/directory/user.entity';
import { UsersService } from './users.service';

export class AssignDto {
  @IsArray()
  @ArrayNotEmpty()
  @IsString({ each: true })
  userIds!: string[];

  @IsArray()
  @ArrayNotEmpty()
  @IsString({ each: true })
  workspaces!: string[];

  @IsOptional()
  @IsArray()
  @IsString({ each: true })
  groups?: string[];
}

export class StatusDto {
  @IsString()
  id!: string;

  @IsString()
  token!: string;
}

@Controller('api/users')
@UseGuards(AuthGuard('jwt'))
export class UsersController {
  constructor(private readonly users: UsersService) {}

  @Post('workspace-assign')
  @HttpCode(200)
  async assign(@Body() body: AssignDto, @Req() { user }: { user: User }, @I18n() i18n: I18nContext): Promise<object> {
    if (user.type !== 'administrator') throw new ForbiddenException();
    await this.users.assign(body.userIds, body.workspaces, body.groups ?? []);
    return { status: 200, message: i18n.t('answers.users.assigned') };
  }

  @Post('manage-status')
  @HttpCode(200)
  async status(@Body() body: StatusDto, @I18n() i18n: I18nContext): Promise<object> {
    await this.users.toggleStatus(body.id, body.token);
    return { status: 'success', message: i18n.t('answers.status.updated') };
  }
}
