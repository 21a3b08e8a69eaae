import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../config/config';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts stored answers, because some contain a token or a secret that readers of the database must not have. The key
 * is derived from STATUS_TOKEN_SECRET, which every process of the service has. An answer can be decrypted only under
 * the id with which it was encrypted.
 */
@Injectable()
export class SealedAnswers {
  private readonly key: Uint8Array;
  private readonly previous: readonly Uint8Array[];

  constructor(@Inject(CONFIG) config: Config) {
    this.key = keyFrom(config.statusTokenSecret);
    this.previous = config.previousStatusTokenSecrets.map(keyFrom);
  }

  seal(id: Buffer, answer: unknown): Buffer {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.key, nonce).setAAD(id);
    const text = Buffer.concat([cipher.update(JSON.stringify(answer), 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), text]);
  }

  /** @throws Error if none of the secrets has encrypted it */
  open(id: Buffer, sealed: Buffer): unknown {
    for (const key of this.previous) {
      try {
        return decrypt(key, id, sealed);
      } catch {
        // Another secret has encrypted it.
      }
    }
    return decrypt(this.key, id, sealed);
  }
}

function keyFrom(secret: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, '', 'answers to idempotency keys', 32));
}

function decrypt(key: Uint8Array, id: Buffer, sealed: Buffer): unknown {
  const decipher = createDecipheriv(CIPHER, key, sealed.subarray(0, NONCE_BYTES)).setAAD(id);
  decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  const text = Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
  return JSON.parse(text.toString('utf8'));
}
