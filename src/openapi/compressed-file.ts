import { createHash } from 'node:crypto';
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
    this.version = createHash('sha256').update(content).digest('hex').slice(0, 16);
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
}
