/** Tells the developer of the app: in Node as a warning of the process, in a browser on the console. */
export function warn(text: string): void {
  // A browser has no `process`, whatever the types of Node say. What a bundler can put in its place has no warnings.
  if (typeof process === 'object' && 'emitWarning' in process) process.emitWarning(text, 'UserAdministrationClient');
  else console.warn(`UserAdministrationClient: ${text}`);
}
