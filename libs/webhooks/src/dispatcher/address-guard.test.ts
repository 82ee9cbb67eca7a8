// Webhooks are sent to public addresses only, even if the address of a host name changes.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAddressGuard, isPublicAddress } from './address-guard.ts';
import { createSender } from './send-attempt.ts';

const inside = [
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '127.0.0.1',
  '127.9.9.9',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '192.0.0.8',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:8.8.8.8',
  'fe80::1',
  'fc00::1',
  'fd12::1',
  'ff02::1',
  '64:ff9b::a00:1',
  '2002:7f00:1::',
  '2001:db8::1',
  '2001::1',
  '',
];
const outside = ['8.8.8.8', '1.1.1.1', '172.32.0.1', '2606:4700::1111', '2a00:1450::1'];

describe('IP addresses', () => {
  it('an IP address is refused unless it is public', () => {
    expect(inside.filter(isPublicAddress)).toEqual([]);
    expect(outside.filter((address) => !isPublicAddress(address))).toEqual([]);
  });

  it('a URL is refused unless it is https, has no login or fragment, and names no private IP', () => {
    const { refuse } = createAddressGuard({ allowLocal: false });
    const wrong = [
      'http://shop.example/',
      'https://127.1/',
      'https://2130706433/',
      'https://0x7f.0.0.1/',
      'https://[::1]/',
      'https://[::ffff:10.0.0.1]/',
      'https://user:pass@shop.example/',
      'https://shop.example/#x',
      'ftp://shop.example/',
      'https://',
      'https://a b/',
      '',
    ];
    expect(wrong.filter((url) => refuse(url) === undefined)).toEqual([]);
    expect(refuse('https://shop.example:8443/hooks?x=1')).toBeUndefined();
  });
});

describe('the host name of a webhook', () => {
  let calls = 0;
  const server = createServer((_request, response) => {
    calls++;
    response.end();
  });
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
  afterAll(() => {
    server.close();
  });

  it('a host name is resolved at each attempt, and no request is sent to a private IP address', async () => {
    const { port } = server.address() as AddressInfo;
    const answers = [
      [
        { address: '8.8.8.8', family: 4 },
        { address: '127.0.0.1', family: 4 },
      ],
      [{ address: '127.0.0.1', family: 4 }],
      [{ address: '::1', family: 6 }],
      [],
    ];
    const asked: string[] = [];
    const resolve = async (host: string) => {
      asked.push(host);
      return answers[asked.length - 1] ?? [];
    };
    const sender = createSender(createAddressGuard({ allowLocal: false, resolve }));
    const url = `https://rebound.example:${port}/`;
    for (const _ of answers) {
      const result = await sender.send({ url, headers: {}, body: '{}' });
      expect(result).toMatchObject({ outcome: 'refused', error: 'address_refused' });
    }
    const literal = await sender.send({
      url: `https://127.0.0.1:${port}/`,
      headers: {},
      body: '',
    });
    expect(literal.outcome).toBe('refused');
    expect([asked.length, calls]).toEqual([answers.length, 0]);
    await sender.close();
  });
});
