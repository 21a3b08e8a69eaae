import {
  databaseCode,
  isCommitLost,
  isDatabaseUnavailable,
  isReadOnly,
  isTransactionEnded,
  MigrationDelayedError,
} from '@user-administration/postgres';
import { IntlMessageFormat } from 'intl-messageformat';
import { ServiceError } from '../contract/errors';
import { FALLBACK_LANGUAGE } from '../i18n/languages';
import { PluginSentences } from '../i18n/plugin-sentences';
import type { Plugin } from '../plugins/plugin';
import { messagesOf } from '../plugins/plugins.module';

/** Explains an error and what to do about it, without a stack. */
export function explain(error: unknown, plugins: readonly Plugin[] = []): string {
  if (isExplained(error)) return error.explanation;
  if (error instanceof ServiceError) return sentenceOf(error, plugins);
  if (error instanceof MigrationDelayedError) return `${error.message}. Nothing was changed; try again later.`;
  if (isCommitLost(error)) {
    return (
      'The connection was lost during the commit, so the change may have been made. Run the ' +
      'command again: records that match the file stay as they are.'
    );
  }
  if (isTransactionEnded(error)) {
    return (
      'The database ended the transaction: the connection broke, or this process was stopped ' +
      'for longer than DATABASE_IDLE_TRANSACTION_TIMEOUT_MS. Nothing was changed; run the command ' +
      'again.'
    );
  }
  if (isReadOnly(error)) {
    return (
      'The database is a standby or read-only. Set DATABASE_URL to a server that accepts ' +
      'writes, or to several hosts.'
    );
  }
  if (isDatabaseUnavailable(error)) {
    return (
      `The database does not answer (${databaseCode(error) ?? 'connection lost'}). Check DATABASE_URL, and ` +
      'that the database runs.'
    );
  }
  return error instanceof Error ? error.message || error.name : String(error);
}

/** An error of a command of a plugin, which explains itself. */
function isExplained(error: unknown): error is Error & { explanation: string } {
  return error instanceof Error && 'explanation' in error && typeof error.explanation === 'string';
}

/** What a plugin says of its refusal; the code of one of the service. */
function sentenceOf({ code, details }: ServiceError, plugins: readonly Plugin[]): string {
  const sentence = new PluginSentences(plugins.map(messagesOf)).of('errors', code, FALLBACK_LANGUAGE);
  if (!sentence) return code;
  return `${String(new IntlMessageFormat(sentence.text, FALLBACK_LANGUAGE).format(details.args))} Nothing was changed.`;
}
