import { join } from 'node:path';

/** What a build of the package `console` is. */
export const CONSOLE_FOLDER = join(__dirname, '../../dist/console');
