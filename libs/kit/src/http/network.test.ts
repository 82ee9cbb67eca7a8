// Failures count per IPv4 address and per /64 network of IPv6, in every spelling of the address.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { networkOf, rememberAddresses } from './network.ts';

describe('networkOf', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:aaaa:bbbb:cccc:dddd', '2001:db8:1:2::/64'],
    ['2001:0DB8:1:2::1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:db8::', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['1::2:3:4:5:6:7', '1:0:2:3::/64'],
    ['64:ff9b::192.0.2.7', '64:ff9b:0:0::/64'],
    ['1::2:3:4:192.0.2.7', '1:0:0:2::/64'],
    ['unix', 'unix'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    [undefined, 'gone'],
  ])('networkOf maps the IP address %s to the network %s', (address, network) =>
    expect(networkOf(address)).toBe(network),
  );
});

describe('rememberAddresses', () => {
  it('rememberAddresses closes a connection without an IP address, and serves all others', async () => {
    const server = createServer((request, response) => {
      response.end(request.socket.remoteAddress);
    });
    rememberAddresses(server);
    server.listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const gone = new Socket();
    server.emit('connection', gone);
    expect(gone.destroyed).toBe(true);
    const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    expect(await answer.text()).toBe('127.0.0.1');
  });
});
