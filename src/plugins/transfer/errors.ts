import { PluginErrors } from '../plugin';

/** The refusals of files. */
export const FILE_ERRORS = new PluginErrors({
  'import.invalid': { status: 400, when: 'The file has bad lines, which `errors` names: 100 at most.' },
  'import.empty': { status: 400, when: 'The file has no records.' },
  'import.too_large': {
    status: 413,
    when: 'The file has more than 16 MiB or 50,000 records. The command line has no limit.',
  },
  'import.unsupported': {
    status: 415,
    when: 'The media type of the body is neither `application/x-ndjson` nor `text/csv`.',
  },
  'import.running': {
    status: 409,
    when: 'Another import is under way, here or by the command line. Try again after the seconds in `Retry-After`.',
    isWorthRepeating: true,
  },
  'import.too_many_deactivations': {
    status: 409,
    when: 'The file does not name more active users than `atMost` permits to deactivate.',
    args: { count: 12 },
  },
});
