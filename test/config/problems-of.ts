import { ConfigError, type Environment } from '../../src/config/environment';
import { loadConfig } from '../../src/load-config';

export const SECRET = 'thirty-two bytes, and not a bit more'.slice(0, 32);

/** What a start with these variables is refused for; nothing when it is not. */
export function problemsOf(environment: Environment): readonly string[] {
  try {
    loadConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}
