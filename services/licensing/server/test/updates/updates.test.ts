// The update server: who sees versions, who gets download links, and what is refused.
import { createHash } from 'node:crypto';
import { eventually } from '@counterfoil/kit/testing/eventually';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { allScopes } from '../../src/authentication/api-key.ts';
import { auditActions, keyClient, type TestClient } from '../environment/clients.ts';
import { type Given, givenLicensing } from '../environment/given.ts';

let given: Given;
let workspaceId: bigint;
let itemId: bigint;
let client: TestClient;
let code: string;
let purchaseId: bigint;

const octets = { 'content-type': 'application/octet-stream' };
const start = new Date('2026-05-04T10:00:00Z');
const daysLater = (days: number) => new Date(start.getTime() + days * 86_400_000);
const hash = (name: string, text: string) => createHash(name).update(text).digest('hex');

const get = async (url: string, headers: Record<string, string> = {}) => {
  const answer = await given.app.inject({ url, headers });
  const isJson = String(answer.headers['content-type']).startsWith('application/json');
  return {
    ...answer,
    status: answer.statusCode,
    text: answer.body,
    json: isJson ? answer.json() : undefined,
  };
};
const withCode = (sent = code) => ({ 'x-purchase-code': sent });
const withPassword = (sent = code) => ({
  authorization: `Basic ${Buffer.from(`buyer:${sent}`).toString('base64')}`,
});
const feed = (headers?: Record<string, string>, query = '') =>
  get(`/updates/${itemId}.json${query}`, headers);
const wordpress = (query = '', headers?: Record<string, string>) =>
  get(`/updates/wordpress/${itemId}${query}`, headers);
const packages = (headers?: Record<string, string>, workspace: bigint | string = workspaceId) =>
  get(`/updates/composer/${workspace}/packages.json`, headers);

/**
 * Adds a version with a file, `days` after the start. The item already has the version 1.0.0, so for 1.0.0
 * only the file is added.
 */
async function release(version: string, days: number, more: object = {}) {
  given.clock.now = daysLater(days);
  const path = `/items/${itemId}/versions`;
  if (version !== '1.0.0') {
    const added = await client.send('POST', path, { version, notes: `Notes of ${version}`, ...more });
    expect(added.status, added.text).toBe(200);
  }
  const stored = await client.send('PUT', `${path}/${version}/file`, Buffer.from(`file ${version}`), octets);
  expect(stored.status, stored.text).toBe(200);
}

beforeAll(async () => {
  given = await givenLicensing({ PUBLISHABLE_WRONG_CODES_PER_MINUTE: '20' });
  given.clock.now = start;
  workspaceId = await given.workspace();
  client = keyClient(given, await given.apiKey(workspaceId, { scopes: allScopes }));
  itemId = await given.item(workspaceId, { name: 'Acme <Forms>', externalId: 'acme/forms' });
  await release('1.0.0', 0);
  await release('1.1.0', 10, { requires: '6.2', tested: '6.5', requires_php: '8.1', notes: 'a < b\n\nc' });
  await release('1.2.0', 20, { channel: 'beta' });
});
afterAll(() => given.close());

let minute = 0;
beforeEach(async () => {
  // Each test begins in another minute, so that the wrong codes of earlier tests no longer count.
  given.clock.now = new Date(daysLater(21).getTime() + ++minute * 120_000);
  const supportedUntil = daysLater(365);
  ({ code, id: purchaseId } = await given.purchase(workspaceId, itemId, { supportedUntil }));
});

const linkOf = (each: { download_url: string }) => each.download_url;
const versionsOf = (answer: Awaited<ReturnType<typeof get>>) =>
  answer.json.data.versions.map((each: { version: string }) => each.version);
const linked = (answer: Awaited<ReturnType<typeof get>>) =>
  answer.json.data.versions
    .filter((each: { download_url?: string }) => each.download_url !== undefined)
    .map((each: { version: string }) => each.version);

describe('the plain feed', () => {
  it('the feed lists versions, newest first, without links for a caller without a code', async () => {
    const answer = await feed();
    expect(answer.status, answer.text).toBe(200);
    expect(answer.json.data.item).toEqual({ id: Number(itemId), name: 'Acme <Forms>' });
    expect(answer.json.data.versions).toEqual([
      expect.objectContaining({ version: '1.2.0', channel: 'beta' }),
      {
        version: '1.1.0',
        channel: 'stable',
        date: '2026-05-14T10:00:00Z',
        notes: 'a < b\n\nc',
        sha256: hash('sha256', 'file 1.1.0'),
        size: 10,
      },
      expect.objectContaining({ version: '1.0.0' }),
    ]);
  });

  it('the feed can be filtered by channel', async () => {
    expect(versionsOf(await feed({}, '?channel=beta'))).toEqual(['1.2.0']);
    expect(versionsOf(await feed({}, '?channel=stable'))).toEqual(['1.1.0', '1.0.0']);
  });

  it('a buyer gets links in the feed, and counts as a buyer of the last downloaded version', async () => {
    const countOf = async (version: string) => {
      const { body } = await client.send('GET', `/items/${itemId}/versions`);
      return body.data.versions.find((each: { version: string }) => each.version === version).buyers;
    };
    const before = await countOf('1.1.0');
    const answer = await feed(withCode(` ${code.toUpperCase()} `));
    const [, stable] = answer.json.data.versions;
    const file = await get(new URL(stable.download_url).pathname);
    expect([file.status, file.text]).toEqual([200, 'file 1.1.0']);
    await eventually(async () => expect(await countOf('1.1.0')).toBe(before + 1));
    const { body } = await client.send('GET', `/purchases/${purchaseId}`);
    expect(body.data.purchase.downloaded).toBe(true);
    const [newest] = answer.json.data.versions;
    await get(new URL(newest.download_url).pathname);
    await eventually(async () => expect(await countOf('1.1.0')).toBe(before));
  });

  it('the feed accepts a licence until the code of the purchase is replaced', async () => {
    const machine = { purchase_code: code, machine_id: 'm' };
    const { licence } = (await client.send('POST', '/licences', machine)).body.data;
    const answer = await feed(withCode(licence));
    expect(linked(answer)).toEqual(['1.2.0', '1.1.0', '1.0.0']);
    const forged = await feed(withCode(`${licence.slice(0, -8)}AAAAAAAA`));
    expect([forged.status, forged.json.code]).toEqual([404, 'purchase_not_found']);
    await client.send('POST', `/purchases/${purchaseId}/reissue`, {});
    const refused = await feed(withCode(licence));
    expect([refused.status, refused.json.code]).toEqual([404, 'purchase_not_found']);
  });

  it('the feed has links only for versions that were released before the end of support', async () => {
    const supportedUntil = daysLater(15);
    const old = await given.purchase(workspaceId, itemId, { supportedUntil, purchasedAt: start });
    const limited = await feed(withCode(old.code));
    expect(linked(limited)).toEqual(['1.1.0', '1.0.0']);
    expect(limited.json.data.updates_until).toBe('2026-05-19T10:00:00Z');
    const item_id = Number(itemId);
    await client.send('PUT', '/licence-terms', { item_id, updates: 'always' });
    expect(linked(await feed(withCode(old.code)))).toEqual(['1.2.0', '1.1.0', '1.0.0']);
    await client.send('PUT', '/licence-terms', { item_id });
  });

  it.each(['refund', 'cancel', 'dispute'])(
    'a purchase code is refused after the operation %s, with the same error code as in a validation',
    async (verb) => {
      await client.send('POST', `/purchases/${purchaseId}/${verb}`);
      const state = { refund: 'refunded', cancel: 'cancelled', dispute: 'disputed' }[verb];
      for (const answer of [
        await feed(withCode()),
        await wordpress('', withCode()),
        await packages(withPassword()),
      ]) {
        expect([answer.status, answer.json.code]).toEqual([404, `purchase_${state}`]);
        expect(answer.json).toMatchObject({
          status: 'error',
          msg: 'Invalid purchase code',
          retryable: false,
        });
      }
    },
  );

  it('the feed refuses malformed codes, two different codes, and a code in the URL', async () => {
    for (const answer of [
      await feed(withCode('x'.repeat(129))),
      await feed({ ...withCode(), ...withPassword('another') }),
      await feed({}, `?purchase_code=${code}`),
      await feed({}, '?channel=nightly'),
      await get('/updates/abc.json'),
      await get('/updates/0.json'),
    ])
      expect([answer.status, answer.json.code], answer.text).toEqual([400, 'invalid_parameter']);
  });

  it('a draft gets the same answer as an unknown item', async () => {
    const draft = await given.item(workspaceId, { state: 'draft' });
    for (const id of [draft, 999_999_999_999_999_999n])
      for (const path of [`/updates/${id}.json`, `/updates/wordpress/${id}`]) {
        const answer = await get(path, withCode());
        expect([answer.status, answer.json.code]).toEqual([404, 'item_not_found']);
      }
  });

  it('only buyers get the feed of a withdrawn item; all others get the error of a missing item', async () => {
    const withdrawn = await given.item(workspaceId, { state: 'withdrawn' });
    const sold = await given.purchase(workspaceId, withdrawn);
    const missing = 999_999_999_999_999_999n;
    expect((await get(`/updates/${withdrawn}.json`, withCode(sold.code))).status).toBe(200);
    const send = async (item: bigint, headers: Record<string, string>) => {
      const paths = [`/updates/${item}.json`, `/updates/wordpress/${item}`];
      const answers = await Promise.all(paths.map((path) => get(path, headers)));
      return answers.map(({ status, json }) => ({ status, body: { ...json, request_id: '' } }));
    };
    for (const headers of [{}, withCode('unknown'), withCode(), withCode('x'.repeat(129))])
      expect(await send(withdrawn, headers)).toEqual(await send(missing, headers));
    expect((await send(withdrawn, withCode()))[0]?.body.code).toBe('item_not_found');
    for (let i = 0; i < 25; i++) {
      const [answer] = await send(withdrawn, withCode(`wrong ${i}`));
      expect([answer?.status, answer?.body.code]).toEqual([404, 'item_not_found']);
    }
  });

  it.each(['reissue', 'refund', 'dispute'])(
    'download links from the feed of a buyer end at once after a %s of the purchase',
    async (verb) => {
      const links = async () => (await feed(withCode())).json.data.versions.map(linkOf);
      const [newest] = await links();
      const made = await client.send('POST', `/purchases/${purchaseId}/download-links`, {});
      const statusOf = async (url: string) => (await get(new URL(url).pathname)).status;
      expect(await statusOf(newest)).toBe(200);
      await client.send('POST', `/purchases/${purchaseId}/${verb}`, {});
      const refused = await get(new URL(newest).pathname);
      expect([refused.status, refused.json.code]).toEqual([404, 'download_not_found']);
      // A link that the seller made belongs to the purchase, so a new code does not end it.
      expect(await statusOf(made.body.data.url)).toBe(verb === 'reissue' ? 200 : 404);
    },
  );

  it('the limit of 100 versions is applied after the filters by channel and by purchase', async () => {
    const item = await given.item(workspaceId);
    await given.db.query(
      `insert into item_versions (workspace_id, item_id, version, created_at, channel, file_key, file_name,
         file_bytes, file_sha256, uploaded_at)
       select $1, $2, n || '.0.0', $3::timestamptz + n * interval '1 day',
         case when n = 2 then 'stable' else 'beta' end, 'k', 'f', 1, sha256('x'), $3
       from generate_series(2, 130) as n`,
      [workspaceId, item, daysLater(-200)],
    );
    const stable = await get(`/updates/${item}.json?channel=stable`);
    expect(versionsOf(stable)).toEqual(['2.0.0']);
    expect((await get(`/updates/wordpress/${item}`)).json.version).toBe('2.0.0');
    expect((await get(`/updates/wordpress/${item}?channel=beta`)).json.version).toBe('130.0.0');
    const old = await given.purchase(workspaceId, item, { supportedUntil: daysLater(-197) });
    const offered = (await packages(withPassword(old.code))).json.packages;
    expect(Object.values(offered).map((each) => Object.keys(each as object))).toEqual([
      ['3.0.0-beta', '2.0.0'],
    ]);
  });

  it('a code of another item or another workspace gets the same answer as an unknown code', async () => {
    const elsewhere = await given.workspace();
    const theirs = await given.item(elsewhere);
    const sold = await given.purchase(elsewhere, theirs);
    const other = await given.purchase(workspaceId, await given.item(workspaceId));
    for (const foreign of [sold.code, other.code, 'unknown']) {
      const answer = await feed(withCode(foreign));
      expect([answer.status, answer.json.code]).toEqual([404, 'purchase_not_found']);
    }
    const composed = await packages(withPassword(sold.code));
    expect([composed.status, composed.json.code]).toEqual([401, 'purchase_code_invalid']);
  });

  it('after 20 wrong codes, a wrong code gets 429, but a valid code is still accepted', async () => {
    for (let i = 0; i < 20; i++) expect((await feed(withCode(`wrong ${i}`))).status).toBe(404);
    const limited = await feed(withCode('wrong again'));
    expect([limited.status, limited.json.code]).toEqual([429, 'rate_limited']);
    expect(limited.headers['retry-after']).toBeDefined();
    expect((await feed(withCode())).status).toBe(200);
  });
});

describe('the metadata for WordPress', () => {
  it('the metadata describes the newest stable version, and has a link for a buyer', async () => {
    const answer = await wordpress('?installed_version=1.0.0&php=8.2&locale=de_DE', withCode());
    expect(answer.status, answer.text).toBe(200);
    expect(answer.json).toMatchObject({
      name: 'Acme <Forms>',
      slug: 'acme-forms',
      version: '1.1.0',
      requires: '6.2',
      tested: '6.5',
      requires_php: '8.1',
      last_updated: '2026-05-14 10:00:00',
      sha256: hash('sha256', 'file 1.1.0'),
      homepage: '',
      details_url: `${given.config.publicUrl}/updates/${itemId}.json`,
    });
    await client.send('PATCH', `/items/${itemId}`, { demo_link: 'https://demo.example/forms' });
    const { details_url, homepage } = (await wordpress()).json;
    expect([details_url, homepage]).toEqual(Array(2).fill('https://demo.example/forms'));
    const notes = '<h4>1.1.0</h4><p>a &lt; b</p><p>c</p><h4>1.0.0</h4>';
    expect(answer.json.sections.changelog).toBe(notes);
    const file = await get(new URL(answer.json.download_url).pathname);
    expect(file.text).toBe('file 1.1.0');
    expect((await wordpress('?channel=beta')).json.version).toBe('1.2.0');
    expect((await wordpress()).json.download_url).toBeUndefined();
  });

  it('a code in the query is accepted, and appears in no log', async () => {
    const answer = await wordpress(`?purchase_code=${code}`);
    expect(answer.json.download_url).toMatch(/\/downloads\/cfd_/);
    const refused = await wordpress(`?purchase_code=secret-${code}`);
    expect(refused.json.code).toBe('purchase_not_found');
    await get('/updates/wordpress/abc?purchase_code=secret-in-a-bad-request');
    expect(given.logLines.join('\n')).not.toMatch(new RegExp(`${code}|secret-`));
  });

  it('an empty code counts as no code', async () => {
    const answer = await wordpress('?purchase_code=', { 'x-purchase-code': '' });
    expect([answer.status, answer.json.download_url]).toEqual([200, undefined]);
  });

  it('an item without a file gets the error version_not_found', async () => {
    const empty = await given.item(workspaceId);
    const answer = await get(`/updates/wordpress/${empty}`);
    expect([answer.status, answer.json.code]).toEqual([404, 'version_not_found']);
  });
});

describe('the Composer repository', () => {
  it('the repository lists the package of a purchase, and its archive matches both checksums', async () => {
    const answer = await packages(withPassword());
    expect(answer.status, answer.text).toBe(200);
    const versions = answer.json.packages['acme/forms'];
    expect(Object.keys(versions)).toEqual(['1.2.0-beta', '1.1.0', '1.0.0']);
    const { dist, extra, ...rest } = versions['1.1.0'];
    expect(rest).toMatchObject({ name: 'acme/forms', version: '1.1.0', type: 'library' });
    expect(dist.shasum).toBe(hash('sha1', 'file 1.1.0'));
    expect(extra).toEqual({ sha256: hash('sha256', 'file 1.1.0'), size: 10 });
    const { pathname } = new URL(dist.url);
    const file = await get(pathname, withPassword());
    expect([file.status, file.text]).toEqual([200, 'file 1.1.0']);
    await eventually(async () => {
      const { body } = await client.send('GET', `/purchases/${purchaseId}`);
      expect(body.data.purchase.downloaded).toBe(true);
    });
    await client.send('POST', `/purchases/${purchaseId}/refund`);
    expect((await get(pathname, withPassword())).json.code).toBe('purchase_refunded');
  });

  it('the repository asks for basic authentication, for existing and unknown workspaces', async () => {
    for (const workspace of [workspaceId, '999999999999']) {
      const answer = await packages({}, workspace);
      expect([answer.status, answer.json.code]).toEqual([401, 'purchase_code_missing']);
      expect(answer.headers['www-authenticate']).toMatch(/^Basic realm=/);
      const unknown = await packages(withPassword('unknown'), workspace);
      expect([unknown.status, unknown.json.code]).toEqual([401, 'purchase_code_invalid']);
      expect(unknown.headers['www-authenticate']).toMatch(/^Basic realm=/);
    }
    expect((await packages({ authorization: 'Basic ???' })).status).toBe(401);
    expect((await packages(withPassword(''))).status).toBe(401);
  });

  it.each(['a'.repeat(128), `a/${'a'.repeat(120)}!`])(
    'an item whose external id is no package name gets a package name from its ids: %s',
    async (externalId) => {
      const item = await given.item(workspaceId, { externalId });
      const bought = await given.purchase(workspaceId, item);
      const answer = await packages(withPassword(bought.code));
      expect(answer.status, answer.text).toBe(200);
      expect(Object.keys(answer.json.packages)).toEqual([`workspace-${workspaceId}/item-${item}`]);
    },
  );

  it('an archive is refused if its item or version is unknown or not included in the purchase', async () => {
    const old = await given.purchase(workspaceId, itemId, { supportedUntil: daysLater(5) });
    const dist = (item: bigint, version: string) =>
      `/updates/composer/${workspaceId}/dist/${item}/${version}.zip`;
    expect(Object.keys((await packages(withPassword(old.code))).json.packages['acme/forms'])).toEqual([
      '1.0.0',
    ]);
    const other = await given.item(workspaceId);
    for (const [path, sent, status, refusal] of [
      [dist(itemId, '1.1.0'), old.code, 404, 'version_not_found'],
      [dist(itemId, '9.9.9'), code, 404, 'version_not_found'],
      [dist(other, '1.0.0'), code, 404, 'version_not_found'],
      [dist(999_999_999n, '1.0.0'), code, 404, 'version_not_found'],
      [dist(itemId, '1.0.0'), 'unknown', 401, 'purchase_code_invalid'],
      [dist(itemId, 'new'), code, 400, 'invalid_parameter'],
    ] as const) {
      const answer = await get(path, withPassword(sent));
      expect([answer.status, answer.json.code]).toEqual([status, refusal]);
    }
  });
});

it('a promoted beta becomes stable with one audit line, and other versions keep their channel', async () => {
  const { body: made } = await client.send('POST', '/items', { name: 'Promoted', kind: 'image' });
  const path = `/items/${made.data.item.id}`;
  for (const version of ['1.1.0', '1.2.0'])
    await client.send('POST', `${path}/versions`, { version, channel: 'beta' });
  const promote = (version: string) => client.send('POST', `${path}/versions/${version}/promote`);
  const channels = async () => {
    const { body } = await client.send('GET', `${path}/versions`);
    return body.data.versions.map((each: { version: string; channel: string }) => each.channel);
  };
  const promoted = await promote('1.2.0');
  expect([promoted.status, promoted.body.data?.item.version]).toEqual([200, '1.2.0']);
  expect(await channels()).toEqual(['stable', 'beta', 'stable']);
  expect((await promote('1.2.0')).status).toBe(200);
  const older = await promote('1.1.0');
  expect([older.status, older.body.data?.item.version]).toEqual([200, '1.2.0']);
  const actions = await auditActions(given, workspaceId);
  expect(actions.filter((action) => action === 'item_version_promoted')).toHaveLength(2);
  const unknown = await promote('9.9.9');
  expect([unknown.status, unknown.body.code]).toEqual([404, 'version_not_found']);
  expect((await promote('new')).status).toBe(400);
  const foreign = await given.item(await given.workspace());
  const elsewhere = await client.send('POST', `/items/${foreign}/versions/1.0.0/promote`);
  expect([elsewhere.status, elsewhere.body.code]).toEqual([404, 'item_not_found']);
});

it('a beta does not become the version of its item, and its number cannot be used again', async () => {
  const { body } = await client.send('GET', `/items/${itemId}`);
  expect(body.data.item.version).toBe('1.1.0');
  for (const channel of ['stable', 'beta']) {
    const again = await client.send('POST', `/items/${itemId}/versions`, { version: '1.2.0', channel });
    expect([again.status, again.body.code]).toEqual([409, 'version_not_newer']);
  }
});
