import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

/** What ends with a workspace besides its groups and memberships, as fields of the result of a dry run. */
export type DeletionNote = (manager: EntityManager, workspaceKey: string) => Promise<object>;

/**
 * What the dry run of a workspace's deletion returns besides the users. The module of what ends with a workspace adds
 * its note when it starts.
 *
 * @example notes.add(async (manager, workspaceKey) => ({ connections: await connectionsOf(manager, workspaceKey) }));
 */
@Injectable()
export class DeletionNotes {
  private readonly notes: DeletionNote[] = [];

  add(note: DeletionNote): void {
    this.notes.push(note);
  }

  async of(manager: EntityManager, workspaceKey: string): Promise<object> {
    let all = {};
    for (const note of this.notes) all = { ...all, ...(await note(manager, workspaceKey)) };
    return all;
  }
}
