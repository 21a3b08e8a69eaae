import type { Duplex } from 'node:stream';

const reasons = new WeakMap<Duplex, string>();

/** Closes a connection, and keeps the reason for the log. */
export function closeConnection(socket: Duplex, reason: string): void {
  reasons.set(socket, reason);
  socket.destroy();
}

/** Why a connection ended before its answer was sent. */
export function whyClosed(socket: Duplex): string {
  return reasons.get(socket) ?? 'the connection ended';
}
