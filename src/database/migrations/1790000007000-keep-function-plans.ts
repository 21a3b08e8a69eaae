import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The functions that requests call, by their signatures. */
const FUNCTIONS = [
  'assign_users(text[], text[], text[], boolean, text, text, text, text)',
  'change_user_status(text, user_status, text, timestamptz, text, text, text, text, text, text)',
];

/**
 * Plans each statement in these functions once for each connection, and in what they call. PostgreSQL would plan the statements
 * over arrays anew for every call, because it takes that for cheaper; but all of them go by primary keys, however long the arrays are,
 * and the planning took three quarters of the time of an assignment of one user.
 */
export class KeepFunctionPlans1790000007000 implements MigrationInterface {
  name = 'KeepFunctionPlans1790000007000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const name of FUNCTIONS) {
      await queryRunner.query(`ALTER FUNCTION ${name} SET plan_cache_mode = force_generic_plan`);
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const name of FUNCTIONS) await queryRunner.query(`ALTER FUNCTION ${name} RESET plan_cache_mode`);
  }
}
