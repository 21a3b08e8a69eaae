// Loaded before anything else by whatever is started: an older Node.js would fail to load Nest, with a stack trace
// that says nothing. Nest consists of ES modules, which releases before these cannot load by `require`.
if (!process.features.require_module) {
  process.stderr.write(
    'The User Administration Service needs Node.js 20 (from 20.19 on), 22 (from 22.13 on), or 24.11 or later. This ' +
      `is Node.js ${process.versions.node}.\n`,
  );
  process.exit(1);
}

export {};
