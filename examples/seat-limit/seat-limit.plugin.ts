import { Controller, Module, Param, Put } from '@nestjs/common';
import {
  AdministratorEndpoint,
  type ChangeContext,
  CurrentChange,
  Field,
  judgeCaller,
  lockExisting,
  type Plugin,
  PluginErrors,
  type Rule,
  ServiceError,
  Transactions,
  ValidatedObject,
} from '@user-administration/service/plugins';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const ERRORS = new PluginErrors({
  'seats.none_left': { status: 409, when: 'A workspace has no seat left.', args: { workspace: 'atlas', seats: 10 } },
});

class CreateSeatLimits1795000000000 implements MigrationInterface {
  name = 'CreateSeatLimits1795000000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE seat_limits (
        workspace_key bigint PRIMARY KEY REFERENCES workspaces (key) ON DELETE CASCADE,
        seats integer NOT NULL
      )`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE seat_limits');
  }
}

/** Locks the limits, in the order of their keys, and counts afterwards: whoever had them before has committed. */
const seats: Rule = {
  async judge(manager, changes) {
    const joins = changes.filter(({ action }) => ['user.workspaces.assigned', 'user.created'].includes(action));
    const joined = [...new Set(joins.flatMap(({ workspaces }) => workspaces ?? []))];
    const limits = await manager.query<{ workspace: string; seats: number; key: string }[]>(
      `SELECT w.id AS workspace, w.key, seats FROM seat_limits JOIN workspaces AS w ON w.key = workspace_key
       WHERE w.id = ANY ($1) ORDER BY workspace_key FOR UPDATE OF seat_limits`,
      [joined],
    );
    for (const { workspace, seats, key } of limits) {
      const [{ taken }] = await manager.query<[{ taken: number }]>(
        `SELECT count(*)::integer AS taken FROM workspace_memberships
         WHERE workspace_key = $1 AND NOT has_ended(ends_at, end_refused_at)`,
        [key],
      );
      if (taken > seats) throw ERRORS.refusal('seats.none_left', { args: { workspace, seats } });
    }
  },
};

class SeatsDto {
  @Field((seats) => Number.isInteger(seats) && Number(seats) >= 0)
  seats!: number;
}

@Controller('api/seat-limits')
class SeatLimitsController {
  constructor(private readonly transactions: Transactions) {}

  @Put(':workspace')
  @AdministratorEndpoint({ summary: 'Limit seats', description: 'The seats of a workspace.', status: 204 })
  limit(@Param('workspace') id: string, @ValidatedObject() { seats }: SeatsDto, @CurrentChange() by: ChangeContext) {
    return this.transactions.run(async (manager) => {
      const [key] = (await lockExisting(manager, 'workspaces', [id])).keys;
      await judgeCaller(manager, by);
      if (key === undefined) throw new ServiceError('workspace.unknown');
      const sql = 'INSERT INTO seat_limits VALUES ($1, $2) ON CONFLICT (workspace_key) DO UPDATE SET seats = $2';
      await manager.query(sql, [key, seats]);
    });
  }
}

@Module({ controllers: [SeatLimitsController] })
class SeatLimitModule {}

/** A workspace has so many seats: whoever would come beyond them is refused, whichever way they come. */
export const SEAT_LIMIT: Plugin = {
  name: 'seat-limit',
  folder: __dirname,
  migrations: [CreateSeatLimits1795000000000],
  errors: ERRORS,
  rule: seats,
  app: () => ({ module: SeatLimitModule }),
};
