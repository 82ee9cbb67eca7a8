// The part of an address that one attacker cannot change at will, for counting failures.
import type { Server } from 'node:http';
import { isIPv6, type Socket } from 'node:net';

const mappedIpv4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/**
 * A socket tells its peer's address while it is open, and once told, for ever: whoever hangs up while
 * we ask the database is counted by it all the same. Who is gone already is not served at all, so
 * every request that is has an address.
 */
export function rememberAddresses(server: Server): void {
  server.on('connection', (socket: Socket) => {
    if (socket.remoteAddress === undefined) socket.destroy();
  });
}

/** An IPv6 host has 2^64 addresses of its own, so its /64 counts; an IPv4 address counts whole. */
export function networkOf(address: string | undefined): string {
  // Gone before it could be asked who it is: all of those count as one.
  if (address === undefined) return 'gone';
  const mapped = mappedIpv4.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const plain = address.split('%')[0] ?? address;
  if (!isIPv6(plain)) return address;
  const [head = '', tail] = plain.toLowerCase().split('::');
  const before = head === '' ? [] : head.split(':');
  // The dotted form of the last 32 bits stands for two groups.
  const after = (tail ?? '').split(':').filter((group) => group !== '');
  const afterCount = after.length + (tail?.includes('.') ? 1 : 0);
  const zeros = tail === undefined ? [] : Array(8 - before.length - afterCount).fill('0');
  const groups = [...before, ...zeros, ...after].slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}
