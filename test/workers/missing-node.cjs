// Loaded before the service: after SIGUSR2 the supervisor cannot start processes, as while a package manager replaces
// Node, or at the limit of processes. A second SIGUSR2 ends this.
const node = process.execPath;
if (!process.argv.includes('--worker')) {
  process.on('SIGUSR2', () => (process.execPath = process.execPath === node ? '/nowhere/node' : node));
}
