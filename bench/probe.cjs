'use strict';
// Loaded into a contestant before its own code (`node -r`): tells what only the process itself can know, when it is asked.
const { monitorEventLoopDelay } = require('node:perf_hooks');

const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
let cpu = process.cpuUsage();

process.on('message', (message) => {
  if (message === 'collect') globalThis.gc?.();
  const { user, system } = process.cpuUsage(cpu);
  const { rss, heapUsed } = process.memoryUsage();
  process.send({
    cpuMs: (user + system) / 1000,
    eventLoopDelayP99Ms: delay.percentile(99) / 1e6,
    rss,
    heapUsed,
    handles: process.getActiveResourcesInfo().length,
  });
  delay.reset();
  cpu = process.cpuUsage();
});
// Asking must not keep a process alive that has nothing else to do.
process.channel?.unref();
