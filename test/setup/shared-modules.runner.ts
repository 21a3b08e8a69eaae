import './package-sources';
import asyncHooks, { AsyncLocalStorage } from 'node:async_hooks';
import { join, sep } from 'node:path';
import v8 from 'node:v8';
import type { JestEnvironment } from '@jest/environment';
import type { TestResult } from '@jest/test-result';
import { createScriptTransformer, type TransformationOptions } from '@jest/transform';
import type { Config } from '@jest/types';
import runWithCircus from 'jest-circus/runner';
import type Runtime from 'jest-runtime';

/** The part of jest-circus that keeps the state of a run. */
const CIRCUS_STATE = join(require.resolve('jest-circus/runner'), '../jestAdapterInit.js');

/** How Jest asks for a file to be compiled, where CommonJS is wanted and no coverage is counted. */
const AS_COMMONJS = {
  ...{ supportsDynamicImport: true, supportsExportNamespaceFrom: false },
  ...{ supportsStaticESM: false, supportsTopLevelAwait: false },
  ...{ collectCoverage: false, collectCoverageFrom: [], coverageProvider: 'v8' },
} satisfies TransformationOptions;

/** Where Jest looks for source maps when it prints the stack of an error. Each test file brings a map of its own. */
let sourceMaps: Map<string, string>;
let compiler: Promise<void> | undefined;

/**
 * Runs a test file with jest-circus, as Jest does, but loads modules with Node's own `require`. Jest's would load all of them
 * anew for each file, which takes two seconds for Nest, TypeORM and our sources. Here each process loads them once, as in
 * production. The modules in `test/` are still loaded for each test file, so their variables and hooks are its own.
 */
export default async function runWithSharedModules(
  globalConfig: Config.GlobalConfig,
  config: Config.ProjectConfig,
  environment: JestEnvironment,
  runtime: Runtime,
  testPath: string,
  sendMessageToJest?: unknown,
): Promise<TestResult> {
  sourceMaps = runtime.getSourceMaps() as Map<string, string>;
  await (compiler ??= prepareProcess(config));
  const watching = globalConfig.watch || globalConfig.watchAll;
  const loader = Object.create(runtime, {
    requireInternalModule: { value: requireCircus },
    requireModule: {
      value: (path: string) => {
        forget((file) => watching || file.includes(`${sep}test${sep}`));
        Object.assign(globalThis, runtime.requireModuleOrMock<object>(path, '@jest/globals'));
        return requireAnew(path);
      },
    },
  }) as Runtime;
  return runWithCircus(globalConfig, config, environment, loader, testPath, sendMessageToJest);
}

async function prepareProcess(config: Config.ProjectConfig): Promise<void> {
  await compileTypeScript(config);
  // The embedded database turns off V8's optimizing compiler to save memory. It saves these processes, which run many statements,
  // 6 to 8 % of their CPU time.
  v8.setFlagsFromString = () => undefined;
  // A worker that is told to end stops listening to the process that started it. Nothing else announces the end.
  process.on('removeListener', (event) => {
    if (event === 'message') void closeFreeDatabases();
  });
}

async function closeFreeDatabases(): Promise<void> {
  const databases = module.require(join(__dirname, 'embedded-test-databases.ts')) as {
    closeFreeDatabases(): Promise<void>;
  };
  await databases.closeFreeDatabases();
}

/** Lets Node's `require` compile TypeScript by the `transform` of `jest.config.cjs`, with Jest's cache on disk. */
async function compileTypeScript(config: Config.ProjectConfig): Promise<void> {
  const transformer = await createScriptTransformer(config);
  // The preparations of the run may have loaded some of the sources in this process, without their source maps.
  forget(() => true);
  require.extensions['.ts'] = (module, filename) => {
    const { code, sourceMapPath } = transformer.transform(filename, AS_COMMONJS);
    if (sourceMapPath) sourceMaps.set(filename, sourceMapPath);
    (module as NodeJS.Module & { _compile(code: string, filename: string): void })._compile(code, filename);
  };
}

/** Makes the next `require` load some of our modules anew. */
function forget(isOutdated: (file: string) => boolean): void {
  for (const file of Object.keys(require.cache)) {
    const stays = file.includes(`${sep}node_modules${sep}`) || file.startsWith(__dirname);
    if (!stays && isOutdated(file)) delete require.cache[file];
  }
}

/**
 * jest-circus keeps the context of the running test in an AsyncLocalStorage. Node 20 visits every storage that was ever
 * used whenever a promise is created, so all test files of a process use the same one.
 */
const testContext = new AsyncLocalStorage();
const ofNode = Object.getOwnPropertyDescriptor(asyncHooks, 'AsyncLocalStorage') as PropertyDescriptor;
const shared: PropertyDescriptor = {
  value: function shared() {
    return testContext;
  },
  configurable: true,
};

function requireCircus(): unknown {
  // Node 22 and later define a getter, so an assignment would fail.
  Object.defineProperty(asyncHooks, 'AsyncLocalStorage', shared);
  try {
    return requireAnew(CIRCUS_STATE);
  } finally {
    Object.defineProperty(asyncHooks, 'AsyncLocalStorage', ofNode);
  }
}

function requireAnew(path: string): unknown {
  delete require.cache[path];
  // Node keeps every module that this one has ever loaded, and so all that a test file leaves behind.
  module.children.length = 0;
  return module.require(path);
}
