import { rmSync } from 'node:fs';

// A file that has gone from the sources must not stay in the package.
rmSync(new URL('../dist', import.meta.url), { recursive: true, force: true });
