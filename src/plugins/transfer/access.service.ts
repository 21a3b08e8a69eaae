import { randomUUID } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Response } from 'express';
import { DataSource } from 'typeorm';
import { Cancellation, ConnectionPools, type Slot } from '@user-administration/postgres';
import { chooseType } from '@user-administration/http';
import { ServiceError } from '../../contract/errors';
import { Sealer } from '../../journal/sealer';
import { USER_FILTERS } from '../../records/list-filters';
import { RecordReader } from '../../records/record-reader';
import { ACCESS_FORMS, ACCESS_TYPES, type AccessForm } from './access-forms';
import { type AccessPart, readAccess } from './access-lines';
import type { AccessQueryDto } from './dto/access.dto';

/** Answers with the register: who has what, at one moment. */
@Injectable()
export class AccessService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly records: RecordReader,
    private readonly sealer: Sealer,
    private readonly cancellation: Cancellation,
    private readonly pools: ConnectionPools,
  ) {}

  /**
   * Sends the register at the pace of its reader. What fails before its first part is answered as any refusal. What
   * fails later closes the connection, so that an answer that is not whole never ends like one that is.
   *
   * @param accept the header of that name
   * @param gone when to end, because nobody reads the answer
   * @throws ServiceError `answer.not_acceptable`
   */
  async execute(
    query: AccessQueryDto,
    accept: string | undefined,
    response: Response,
    gone: AbortSignal,
    slot: Slot | undefined,
  ): Promise<void> {
    const type = chooseType(accept, ACCESS_TYPES);
    if (!type) throw new ServiceError('answer.not_acceptable', { args: { types: ACCESS_TYPES.join(', ') } });
    const form = ACCESS_FORMS[type];
    // So that the journal knows the origin of all that the snapshot shows.
    await this.sealer.seal();
    const filters = await this.records.matching(query, USER_FILTERS);
    const pieces = written(
      form,
      readAccess(this.dataSource, filters, (pid, statement) => this.cancellation.during(pid, gone, statement)),
    );
    try {
      // A HEAD is answered as a GET (RFC 9110 section 9.3.2), and reads no more than shows that one would begin.
      const isHead = response.req.method === 'HEAD';
      const isKept = this.pools.haveOneSession && !isHead;
      const content = isKept ? await inFile(pieces) : await begun(pieces);
      // This answer no longer needs the only session.
      if (isKept) slot?.release();
      const name = `access-${new Date().toISOString().slice(0, 10)}.${form.extension}`;
      response.setHeader('Content-Disposition', `attachment; filename="${name}"`);
      response.setHeader('Content-Type', `${type}; charset=utf-8`);
      response.vary('Accept');
      await pipeline(isHead ? Readable.from([]) : content, response);
    } catch (error) {
      if (!gone.aborted) throw error;
    } finally {
      // Ends the transaction, also if nothing of the content was read.
      await pieces.return();
    }
  }
}

/** What precedes the lines is sent with the first of them. */
async function* written(form: AccessForm, parts: AsyncIterable<AccessPart>): AsyncGenerator<string, void, undefined> {
  let piece = form.begin;
  let count = 0;
  let moment = '';
  for await (const { lines, at } of parts) {
    moment = at;
    count += lines.length;
    piece += lines.map((line) => form.line(line)).join('');
    if (lines.length === 0) continue;
    yield piece;
    piece = '';
  }
  yield piece + form.end(count, moment);
}

/** The pieces, of which the first is there. */
async function begun(pieces: AsyncGenerator<string, void, undefined>): Promise<Readable> {
  const first = await pieces.next();
  return Readable.from(
    (async function* () {
      if (!first.done) yield first.value;
      yield* pieces;
    })(),
  );
}

/** All pieces, from a file without a name, which ends with the stream or with the process. */
async function inFile(pieces: AsyncIterable<string>): Promise<Readable> {
  const path = join(tmpdir(), `access-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  try {
    await rm(path);
    for await (const piece of pieces) await file.write(piece);
  } catch (error) {
    await file.close();
    throw error;
  }
  return file.createReadStream({ start: 0 });
}
