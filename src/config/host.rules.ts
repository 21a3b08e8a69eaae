import { isIP } from 'node:net';

const MAX_NAME_LENGTH = 253;
const LABEL = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/i;

/** Whether this is an IP address or a host name. Whether it exists is known only when the service listens. */
export function isHost(text: string): boolean {
  if (isIP(text) !== 0) return true;
  const labels = text.split('.');
  // A last label of digits is a mistyped IPv4 address: some operating systems accept `300` or `1.2.3` as one.
  return (
    text.length <= MAX_NAME_LENGTH && labels.every((label) => LABEL.test(label)) && !/^\d+$/.test(labels.at(-1) ?? '')
  );
}
