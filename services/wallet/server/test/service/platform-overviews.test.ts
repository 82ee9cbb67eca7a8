// Overviews of all packages for administrators: the last proofs and the pending registrations.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Given, givenWallet } from '../environment/given.ts';
import { type GivenPerson, giveAdministrator, giveMember } from '../environment/people.ts';

let given: Given;
let administrator: GivenPerson;

beforeAll(async () => {
  given = await givenWallet();
  administrator = await giveAdministrator(given);
});

afterAll(() => given.close());

interface Line {
  readonly package_id: number;
  readonly last: { readonly clean: boolean; readonly flaws: number } | null;
}

const findProof = async (id: number): Promise<Line | undefined> => {
  const { body } = await administrator.send('GET', '/panel/admin/proofs');
  return body.data.proofs.find((line: Line) => line.package_id === id);
};

describe('the list of proofs', () => {
  it('the list distinguishes ledgers that were never proved, clean ledgers and changed ledgers', async () => {
    const [clean, touched] = [await given.package(), await given.package()];
    expect((await findProof(clean.id))?.last).toBeNull();
    await given.db.query('update journal set amount = amount + 1 where package_id = $1', [touched.id]);
    for (const { id } of [clean, touched]) {
      await administrator.send('POST', `/panel/admin/packages/${id}/proof`);
      await expect.poll(async () => (await findProof(id))?.last).not.toBeNull();
    }
    expect((await findProof(clean.id))?.last).toMatchObject({ clean: true, flaws: 0 });
    const found = (await findProof(touched.id))?.last;
    expect([found?.clean, (found?.flaws ?? 0) > 0]).toEqual([false, true]);
  });

  it('the pages of the list start with the newest package', async () => {
    await given.package();
    const first = await administrator.send('GET', '/panel/admin/proofs?limit=1');
    const cursor = first.body.data.next_cursor;
    const second = await administrator.send('GET', `/panel/admin/proofs?limit=1&cursor=${cursor}`);
    const ids = [first, second].map(({ body }) => body.data.proofs[0].package_id);
    expect(ids[0]).toBeGreaterThan(ids[1]);
  });
});

describe('the list of registrations', () => {
  it('the list contains an approved package that is not registered with the provider yet', async () => {
    const pending = await given.package({ name: 'Fresh one', state: 'pending' });
    const read = async () =>
      (await administrator.send('GET', '/panel/admin/registrations')).body.data.registrations;
    const names = async () => (await read()).map((line: { name: string }) => line.name);
    expect(await names()).not.toContain('Fresh one');
    await administrator.send('POST', `/panel/admin/packages/${pending.id}/approve`);
    expect(await read()).toContainEqual({
      package_id: pending.id,
      name: 'Fresh one',
      registration: expect.objectContaining({ pending: true, registered_at: null }),
    });
  });
});

it('members of a package see neither proofs nor registrations of the platform', async () => {
  const owner = await giveMember(given, await given.package(), 'owner');
  for (const path of ['proofs', 'registrations']) {
    expect((await owner.send('GET', `/panel/admin/${path}`)).body.code).toBe('forbidden');
  }
});
