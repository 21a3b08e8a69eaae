/** Whether this is production, for messages before a configuration exists. */
export function isProduction(): boolean {
  return process.env.NODE_ENV === 'production';
}
