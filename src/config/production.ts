/** Whether this is production, for what must be told before there is a configuration. */
export function isProduction(): boolean {
  return process.env.NODE_ENV === 'production';
}
