/** What a plugin reads of the environment: each reader records a wrong value as a problem, and all are told at once. */
export interface SettingsReader {
  text(name: string): string | undefined;
  /** @param parse returns undefined for a value that is not `expected` */
  parsed<T>(name: string, fallback: T, expected: string, parse: (text: string) => T | undefined): T;
  integer(name: string, fallback: number, min: number, max: number): number;
  oneOf<T extends string>(name: string, fallback: T, values: readonly T[]): T;
  flag(name: string, fallback: boolean): boolean;
  list(name: string): readonly string[];
}

/** What a plugin has of the configuration. `.env.example` explains its variables. */
export interface ConfigPart {
  /** In kebab-case. */
  readonly name: string;
  /** The names of its variables: others that nearly have them are refused as misspelt. */
  readonly variables?: readonly string[];
  /** Reads its variables. {@link settingsOf} gives the result. */
  settings?(env: SettingsReader): object;
}

/** The settings that a plugin has read. */
export function settingsOf<Settings extends object>(
  { plugins }: { plugins: Readonly<Record<string, object>> },
  { name }: { readonly name: string; settings(env: SettingsReader): Settings },
): Settings {
  const settings = plugins[name];
  if (settings) return settings as Settings;
  throw new Error(`The configuration was loaded without the plugin ${name}: loadConfig(environment, plugins).`);
}
