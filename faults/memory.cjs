'use strict';
// Loaded into the service before its own code (`node --expose-gc -r`): tells how much memory it takes, after what nobody uses has been freed, and
// how long its event loop served nobody.
// By CPU time, so that what else the machine does counts nothing. A timer runs once in a turn that is longer than a millisecond.
let [longest, last] = [0, 0];
const turn = () => {
  const { user, system } = process.cpuUsage();
  [longest, last] = [Math.max(longest, user + system - last), user + system];
};
setInterval(turn, 1).unref();
process.on('message', (message) => {
  if (message === 'memory') {
    globalThis.gc();
    process.send({ memory: process.memoryUsage() });
  }
  if (message === 'turns') {
    process.send({ longestTurn: longest / 1e3, peak: process.resourceUsage().maxRSS * 1024 });
    longest = 0;
  }
});
// Asking must not keep a process alive that has nothing else to do.
process.channel.unref();
