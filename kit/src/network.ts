// The part of an address that one attacker cannot change at will, for counting failures.
import { isIPv6 } from 'node:net';

const mappedIpv4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** An IPv6 host has 2^64 addresses of its own, so its /64 counts; an IPv4 address counts whole. */
export function networkOf(address: string): string {
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
