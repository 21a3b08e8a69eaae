import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import type { Request, Response } from 'express';

const COMPRESS = { br: promisify(brotliCompress), gzip: promisify(gzip) };
/** Brotli at its best takes seconds for a megabyte. */
const BROTLI_AT_MOST_BYTES = 300_000;

/** A file in memory, which is compressed once for the first reader of each encoding. */
export class CompressedFile {
  /** Changes with the content. */
  readonly version: string;
  private readonly compressed = new Map<string, Promise<Buffer>>();

  /** @param type its extension */
  constructor(
    private readonly type: string,
    private readonly content: Buffer,
  ) {
    this.version = versionOf(content);
  }

  async send(request: Request, response: Response): Promise<void> {
    response.type(this.type).vary('Accept-Encoding');
    const encoding = this.encodingFor(request);
    if (encoding) response.set('Content-Encoding', encoding);
    response.send(encoding ? await this.compress(encoding) : this.content);
  }

  private encodingFor(request: Request): keyof typeof COMPRESS | undefined {
    if (this.content.length <= BROTLI_AT_MOST_BYTES && request.acceptsEncodings('br')) return 'br';
    return request.acceptsEncodings('gzip') ? 'gzip' : undefined;
  }

  private compress(encoding: keyof typeof COMPRESS): Promise<Buffer> {
    const compressed = this.compressed.get(encoding) ?? COMPRESS[encoding](this.content);
    this.compressed.set(encoding, compressed);
    return compressed;
  }

  /**
   * Sends the file to who asked for it by a version in the address. A page of another release, which another process
   * has served, gets this file as well, and asks again.
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
