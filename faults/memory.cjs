'use strict';
// Loaded into the service before its own code (`node --expose-gc -r`): tells how much memory it takes, after what nobody uses has been freed.
process.on('message', (message) => {
  if (message !== 'memory') return;
  globalThis.gc();
  process.send({ memory: process.memoryUsage() });
});
// Asking must not keep a process alive that has nothing else to do.
process.channel.unref();
