import type { DataSource } from 'typeorm';

/** @returns the queries that are sent during some work, each with the plan that the database has taken for it */
export async function explained(dataSource: DataSource, work: () => Promise<unknown>): Promise<string> {
  const statements: { text: string; values: unknown[] | undefined }[] = [];
  const { logger } = dataSource;
  dataSource.logger = Object.create(logger, {
    logQuery: { value: (text: string, values?: unknown[]) => statements.push({ text, values }) },
  }) as typeof logger;
  try {
    await work();
  } finally {
    dataSource.logger = logger;
  }
  const plans: string[] = [];
  for (const { text, values } of statements.filter((statement) => statement.text.startsWith('SELECT'))) {
    const rows: { 'QUERY PLAN': string }[] = await dataSource.query(`EXPLAIN (ANALYZE, BUFFERS, COSTS off) ${text}`, values); // prettier-ignore
    plans.push('```', text, '', ...rows.map((row) => row['QUERY PLAN']), '```');
  }
  return plans.join('\n');
}
