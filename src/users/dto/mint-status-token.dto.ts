import { IsIn, IsInt, IsOptional, IsString, Max, Min } from 'class-validator';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { USER_STATUSES, type UserStatus } from '../../contract/directory';
import { LIMITS } from '../../contract/limits';
import type { Refusal } from '../../server/shape.pipe';
import { Reason } from './reason.decorator';

const id = { context: { code: 'user.invalid' } satisfies Refusal };
const status = { context: { code: 'status.invalid' } satisfies Refusal };
const expiresIn = {
  context: { code: 'status_token.lifetime_invalid', args: { max: LIMITS.statusTokenSeconds } } satisfies Refusal,
};

export const DEFAULT_LIFETIME_SECONDS = 900;

export class MintStatusTokenDto {
  @ApiProperty({
    description: 'The user whose status the token can set.',
    minLength: 1,
    maxLength: LIMITS.identifier,
    example: 'eve',
  })
  @IsString(id)
  id!: string;

  @ApiProperty({ description: 'The status to set.', enum: USER_STATUSES, example: 'active' })
  @IsIn(USER_STATUSES, status)
  status!: UserStatus;

  @ApiPropertyOptional({
    description: 'Seconds until the token expires.',
    type: 'integer',
    nullable: true,
    minimum: 1,
    maximum: LIMITS.statusTokenSeconds,
    default: DEFAULT_LIFETIME_SECONDS,
    example: DEFAULT_LIFETIME_SECONDS,
  })
  @IsOptional()
  @IsInt(expiresIn)
  @Min(1, expiresIn)
  @Max(LIMITS.statusTokenSeconds, expiresIn)
  expiresIn?: number | null;

  @Reason('Back from parental leave')
  reason?: string | null;
}
