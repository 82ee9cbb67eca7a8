// The last use of a key pair is recorded in the background, at most once a minute for each pair.
import type { Db } from '@counterfoil/kit/postgres/db';
import { captureLog } from '@counterfoil/kit/testing/captured-log';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPairUseRecorder } from '../../../src/packages/credentials/record-pair-uses.ts';
import { createProvider } from '../../environment/callbacks.ts';
import { type Given, type GivenPackage, givenWallet } from '../../environment/given.ts';
import { giveMember, giveProgram, type Send } from '../../environment/people.ts';

let given: Given;
let admin: Send;

beforeAll(async () => {
  given = await givenWallet({}, {}, () => {}, { deps: (deps) => ({ ...deps, logEveryMs: 10 }) });
  admin = (await giveProgram(given)).send;
});

afterAll(() => given.close());

interface ListedPair {
  readonly id: number;
  readonly purpose: string;
  readonly last_used_at: string | null;
}

async function listUses(owner: GivenPackage, send = admin, prefix = '/admin/v1/packages') {
  const { body } = await send('GET', `${prefix}/${owner.id}/key-pairs`);
  const pairs: ListedPair[] = body.data.key_pairs;
  return Object.fromEntries(pairs.map((pair) => [pair.purpose, pair.last_used_at]));
}

const readPackage = (owner: GivenPackage, headers = owner.headers) =>
  given.app.inject({ url: '/api/v1/package', headers });

describe('the last use of a key pair', () => {
  it('the last use is null until the pair is used, and is then the time of its last use', async () => {
    const owner = await given.package();
    expect(await listUses(owner)).toEqual({ caller: null, callback: null });
    expect((await readPackage(owner)).statusCode).toBe(200);
    const now = given.clock.now.toISOString();
    await expect.poll(() => listUses(owner)).toEqual({ caller: now, callback: null });
    const provider = createProvider(given, owner);
    const player_id = await given.player(owner);
    expect((await provider.send({ action: 'balance', player_id })).status).toBe(200);
    await expect.poll(() => listUses(owner)).toEqual({ caller: now, callback: now });
    const member = await giveMember(given, owner, 'member');
    const seen = await listUses(owner, member.send, '/panel/packages');
    expect(seen).toEqual({ caller: now, callback: now });
  });

  it('the last use is also recorded by the fast path of update_balance', async () => {
    const owner = await given.package();
    const player_id = await given.player(owner);
    const body = { player_id, type: 'credit', amount: 1, transaction_id: 'fast' };
    const origin = await given.app.listen({ host: '127.0.0.1', port: 0 });
    const headers = { ...owner.headers, 'content-type': 'application/json' };
    const sent = { method: 'POST', headers, body: JSON.stringify(body) };
    // The router answers the first call and loads the package; the fast path answers the second.
    for (const _ of [1, 2]) {
      given.clock.now = new Date(given.clock.now.getTime() + 61_000);
      expect((await fetch(`${origin}/api/v1/user/update_balance`, sent)).status).toBe(200);
      const now = given.clock.now.toISOString();
      await expect.poll(() => listUses(owner)).toEqual({ caller: now, callback: null });
    }
  });

  it('the last use of a key pair is not changed by a wrong secret', async () => {
    const owner = await given.package();
    const wrong = { ...owner.headers, 'x-api-secret': 'gps_wrong' };
    expect((await readPackage(owner, wrong)).statusCode).toBe(401);
    const other = await given.package();
    expect((await readPackage(other)).statusCode).toBe(200);
    await expect.poll(async () => (await listUses(other)).caller).not.toBeNull();
    expect(await listUses(owner)).toEqual({ caller: null, callback: null });
  });
});

describe('the recorder of key pair uses', () => {
  const idle = 2 ** 30;

  async function open() {
    const owner = await given.package();
    const { rows } = await given.db.query<{ id: bigint }>(
      "select id from package_keys where package_id = $1 and purpose = 'caller'",
      [owner.id],
    );
    const pairId = rows[0]?.id as bigint;
    const clock = { now: new Date('2026-05-04T10:00:00Z') };
    const writes = { count: 0 };
    const db: Db = {
      ...given.db,
      transaction: (work) => {
        writes.count++;
        return given.db.transaction(work);
      },
    };
    const { logger, lines } = captureLog('wallet');
    const recorder = createPairUseRecorder({ db, logger, now: () => clock.now, everyMs: idle });
    const use = (seconds: number, id = pairId) => {
      clock.now = new Date(clock.now.getTime() + seconds * 1000);
      recorder.record(owner.id, id, clock.now);
    };
    const read = async () => (await listUses(owner)).caller;
    return { owner, clock, writes, recorder, use, read, lines };
  }

  it('the recorder writes once for a thousand uses, and once a minute after that', async () => {
    const { clock, writes, recorder, use, read } = await open();
    for (let count = 0; count < 1000; count++) use(0.001);
    await recorder.flush();
    const first = clock.now.toISOString();
    expect([writes.count, await read()]).toEqual([1, first]);
    use(30);
    await recorder.flush();
    expect([writes.count, await read()]).toEqual([1, first]);
    // The newer use is written one minute after the first write, even if no further use follows.
    const second = clock.now.toISOString();
    clock.now = new Date(clock.now.getTime() + 31_000);
    await recorder.flush();
    await recorder.flush();
    expect([writes.count, await read()]).toEqual([2, second]);
    await recorder.close();
    expect(writes.count).toBe(2);
  });

  it('the recorder writes all remaining uses when it closes', async () => {
    const { clock, recorder, use, read } = await open();
    use(1);
    await recorder.flush();
    use(5);
    await recorder.close();
    expect(await read()).toBe(clock.now.toISOString());
  });

  it('the recorder does not replace a later use that another process has written', async () => {
    const { owner, clock, recorder, use, read } = await open();
    use(0);
    const later = new Date(clock.now.getTime() + 10_000);
    await given.db.query(
      `insert into package_key_uses (package_id, key_id, last_used_at)
       select package_id, id, $2 from package_keys where package_id = $1 and purpose = 'caller'`,
      [owner.id, later],
    );
    await recorder.close();
    expect(await read()).toBe(later.toISOString());
  });

  it('the recorder drops a use that the database refuses, and logs the error once', async () => {
    const { recorder, use, lines } = await open();
    use(0, 987_654_321n);
    await recorder.flush();
    await recorder.flush();
    await recorder.close();
    const refused = lines.filter((line) => line.includes('could not be written'));
    expect(refused).toHaveLength(1);
  });
});
