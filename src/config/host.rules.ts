import { isIP } from 'node:net';

const MAX_NAME_LENGTH = 253;
const LABEL = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/i;

/** Whether this can name a place to listen: an IP address, or a host name. Whether there is such a place is seen later. */
export function isHost(text: string): boolean {
  if (isIP(text) !== 0) return true;
  const labels = text.split('.');
  // A last label of digits is an IPv4 address that went wrong: some systems read `300` or `1.2.3` as one all the same.
  return (
    text.length <= MAX_NAME_LENGTH && labels.every((label) => LABEL.test(label)) && !/^\d+$/.test(labels.at(-1) ?? '')
  );
}
