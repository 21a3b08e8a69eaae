// Bundles the server for agents: one file with the protocol and the client, so that who runs it installs nothing else.
import { build } from 'esbuild';

/** @param outdir an empty folder */
export function bundleAgentsServer(outdir) {
  return build({
    entryPoints: ['packages/mcp/src/command-line.ts'],
    outdir,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    legalComments: 'inline',
    logLevel: 'warning',
  });
}
