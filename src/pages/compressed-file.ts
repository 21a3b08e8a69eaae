import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Request, Response } from 'express';

/** A file in memory, which is compressed once, for its first reader. */
export class CompressedFile {
  /** Changes with the content. */
  readonly version: string;
  private compressed: Promise<Buffer> | undefined;

  /** @param type its extension */
  constructor(
    private readonly type: string,
    private readonly content: Buffer,
  ) {
    this.version = versionOf(content);
  }

  async send(request: Request, response: Response): Promise<void> {
    response.type(this.type).vary('Accept-Encoding');
    if (!request.acceptsEncodings('gzip')) {
      response.send(this.content);
      return;
    }
    this.compressed ??= promisify(gzip)(this.content);
    response.set('Content-Encoding', 'gzip').send(await this.compressed);
  }

  /**
   * Sends the file to who asked for it by a version in the address. A page of another release, which another process has served, gets
   * this file as well, and asks again.
   */
  sendVersion(request: Request, response: Response, version = this.version): Promise<void> {
    const isIt = request.params.version === version;
    response.set('Cache-Control', isIt ? 'public, max-age=31536000, immutable' : 'no-cache');
    return this.send(request, response);
  }
}

export function versionOf(content: Buffer | string): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 16);
}

/** The files of a folder by these names, which can have folders in them. */
export function filesIn(folder: string, names: string[]): [string, CompressedFile][] {
  return names.map((name) => [name, new CompressedFile(extname(name), readFileSync(join(folder, name)))]);
}
