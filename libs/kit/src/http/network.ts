// Returns the part of an IP address that an attacker cannot change at will. Failures are counted by this
// part.
import type { Server } from 'node:http';
import { isIPv6, type Socket } from 'node:net';

const mappedIpv4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/**
 * Reads the client's address when a connection opens. Node caches the address, so the address is still known
 * after the client has disconnected. A connection that has no address any more is closed, so every request
 * has an address.
 */
export function rememberAddresses(server: Server): void {
  server.on('connection', (socket: Socket) => {
    if (socket.remoteAddress === undefined) socket.destroy();
  });
}

/**
 * Returns the /64 network of an IPv6 address, because one host may use all 2^64 addresses of its network.
 * Returns an IPv4 address itself, even if it is written in IPv6 form (`::ffff:…`).
 */
export function networkOf(address: string | undefined): string {
  // The address is undefined if the connection closed before its address was read. All these connections
  // share one counter.
  if (address === undefined) return 'gone';
  const mapped = mappedIpv4.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const plain = address.split('%')[0] ?? address;
  if (!isIPv6(plain)) return address;
  const [head = '', tail] = plain.toLowerCase().split('::');
  const before = head === '' ? [] : head.split(':');
  // If the last 32 bits are written in dotted form, they count as two groups.
  const after = (tail ?? '').split(':').filter((group) => group !== '');
  const afterCount = after.length + (tail?.includes('.') ? 1 : 0);
  const zeros = tail === undefined ? [] : Array(8 - before.length - afterCount).fill('0');
  const groups = [...before, ...zeros, ...after].slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}
