import type { EndpointNotes } from '../../openapi/endpoint.decorator';

export const IMPORT_FILE: EndpointNotes = {
  summary: 'Import a file',
  description: `For administrators. Creates and updates records from NDJSON, one record on each line, or users from CSV:
all of them, or none. Fields and lists that a record leaves out stay as they are, and a list replaces the existing one.
At most 16 MiB and 50,000 records. A refusal for bad lines has \`errors\`: 100 at most, each with its \`line\` and an
English \`message\`.

\`deactivateMissing=true\` deactivates the active users whom the file does not name, except those whom a SCIM connection
knows, those in \`keep\` and administrators: \`spared\` counts them. \`dryRun=true\` lists what would change.`,
  answers: 'import.done',
  hasResult: true,
  files: {
    // Of two lines, because Swagger UI would indent a single object, which takes several.
    'application/x-ndjson': '{"workspace":{"id":"delta","name":"Delta"}}\n{"user":{"id":"flo","displayName":"Flo"}}\n',
    'text/csv': 'id,displayName\nflo,Flo\n',
  },
  refuses: [
    'import.unsupported',
    'query.invalid',
    'reason.invalid',
    'import.invalid',
    'import.empty',
    'import.too_large',
    'import.running',
    'import.too_many_deactivations',
    'directory.last_administrator',
    'request.too_large_to_represent',
  ],
  refusalArgs: { 'query.invalid': { name: 'atMost' }, 'import.too_many_deactivations': { count: 4 } },
};
