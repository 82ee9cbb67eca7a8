// Two processes on one database behave like one wallet for orders, keys and background work.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { eventually } from '@counterfoil/kit/testing/eventually';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { type Given, givenWallet } from '../environment/given.ts';
import { giveProgram } from '../environment/people.ts';
import { givenProvider, type Provider } from '../environment/provider.ts';
import { type ServiceProcesses, startProcesses } from '../environment/service-processes.ts';
import { expectOneEffect, expectOneWinner, expectRevokedEverywhere, listAlive } from './many-processes.ts';

const count = 2;
let given: Given;
let provider: Provider;
let service: ServiceProcesses;

beforeAll(async () => {
  provider = await givenProvider();
  given = await givenWallet(provider.env);
  given.clock.now = new Date();
  service = await startProcesses(given, count, provider.env);
});

afterAll(async () => {
  await service?.stop();
  await given?.close();
  await provider?.close();
});

it('each id that is sent 16 times concurrently has one effect and one answer', () =>
  expectOneEffect({ given, service, count }, 10));

it('exactly one of 100 concurrent debits of the whole balance succeeds', () =>
  expectOneWinner({ given, service, count }, 100));

it('a revoked key is refused by every process', () => expectRevokedEverywhere({ given, service, count }));

it('700 clients connect at once while all processes are too busy to accept a connection', async () => {
  // On a system with a lower limit, the test opens only as many connections as the system keeps.
  const limit = Number(readFileSync('/proc/sys/net/core/somaxconn', 'utf8'));
  const pids = service.listPids();
  const signalAll = (signal: NodeJS.Signals) => {
    for (const pid of pids) process.kill(pid, signal);
  };
  const sockets: Socket[] = [];
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    signalAll('SIGCONT');
  });
  signalAll('SIGSTOP');
  const connected = Array.from({ length: Math.min(700, limit) }, () => {
    const socket = connect(service.port, '127.0.0.1').on('error', () => {});
    sockets.push(socket);
    return once(socket, 'connect');
  });
  await Promise.all(connected);
});

const expectAllRegistered = async () => {
  const open = 'select 1 from upstream_registrations where done < wanted';
  expect((await given.db.query(open)).rows).toEqual([]);
};

it(
  'the service registers each change with the provider once, not once per process, ' +
    'and leaves no process after the stop',
  async () => {
    const { send } = await giveProgram(given);
    const owners = await Promise.all(Array.from({ length: 6 }, () => given.package()));
    await eventually(expectAllRegistered);
    provider.calls.splice(0);
    given.clock.now = new Date();
    for (const { id } of owners) await send('POST', `/admin/v1/packages/${id}/suspend`, {});
    await eventually(expectAllRegistered);
    const pids = service.listPids();
    expect(pids).toHaveLength(count);
    // The service is stopped before the check. If a second registration has just begun, it then ends before
    // the check, and the check finds it.
    expect(await service.stop()).toBe(0);
    expect(listAlive(pids)).toEqual([]);
    const registered = provider.calls.map(({ path }) => path.split('/').at(-1)).sort();
    expect(registered).toEqual(owners.map(({ uid }) => uid).sort());
  },
);
