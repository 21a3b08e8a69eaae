import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SQL_RELEASE } from '../../src/database/sql-release';

const ROOT = join(__dirname, '../..');

/** What the next release writes as the reason of a change of status. */
export const NEXT_REASON = 'changed by the next release';

/**
 * A build of the release after this one. Its `change_user_status` has one parameter more and so a new name, and the file of the old one
 * stays. Its `assign_users` has the same signature and another content.
 */
export class NextRelease {
  readonly root = mkdtempSync(join(tmpdir(), 'next-release-'));

  constructor() {
    for (const path of ['dist', 'package.json']) {
      cpSync(join(ROOT, path), join(this.root, path), { recursive: true });
    }
    symlinkSync(join(ROOT, 'node_modules'), join(this.root, 'node_modules'));
    this.edit('dist/users/sql/change_user_status.sql', 'dist/users/sql/change_user_status_2.sql', [
      ['change_user_status(', 'change_user_status_2('],
      ['traceparent text\n)', 'traceparent text, release text\n)'],
      [
        'granted_by, reason, request_id, traceparent, recorded',
        'granted_by, release, request_id, traceparent, recorded',
      ],
    ]);
    this.edit('dist/users/manage-status.service.js', 'dist/users/manage-status.service.js', [
      ["'change_user_status',", "'change_user_status_2',"],
      ["granterId: 'granter_id',", "granterId: 'granter_id', release: 'release',"],
      ['recordableId)(granter.id),', `recordableId)(granter.id), release: '${NEXT_REASON}',`],
    ]);
    this.edit('dist/database/sql-release.js', 'dist/database/sql-release.js', [
      [`number: ${SQL_RELEASE.number},`, `number: ${SQL_RELEASE.number + 1},`],
    ]);
    this.edit('dist/users/sql/assign_users.sql', 'dist/users/sql/assign_users.sql', [
      ['BEGIN\n', 'BEGIN\n  -- As the next release does it.\n'],
    ]);
  }

  remove(): void {
    rmSync(this.root, { recursive: true });
  }

  private edit(from: string, to: string, changes: readonly (readonly [string, string])[]): void {
    let text = readFileSync(join(this.root, from), 'utf8');
    for (const [old, next] of changes) {
      if (!text.includes(old)) throw new Error(`${from} does not say "${old}" any more.`);
      text = text.replace(old, next.replaceAll('$', '$$$$'));
    }
    writeFileSync(join(this.root, to), text);
  }
}
