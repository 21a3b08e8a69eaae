// Begins a build: empties `dist`, so that nothing of an earlier build stays, and copies what the compiler does not make.
import { cpSync, rmSync } from 'node:fs';

rmSync('dist', { recursive: true, force: true });
cpSync('src', 'dist', { recursive: true, filter: (path) => !path.endsWith('.ts') });
