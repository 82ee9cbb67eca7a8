// On every panel route, a request for a foreign workspace gets the same bytes as a request for an unknown
// workspace.
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpLicensing } from '../environment/given.ts';
import { type Browser, givenSignedIn, openBrowser } from '../environment/panel-browser.ts';

const given = setUpLicensing();
let mine: bigint;
let theirs: bigint;
let owner: Awaited<ReturnType<typeof givenSignedIn>>;
let stranger: Awaited<ReturnType<typeof givenSignedIn>>;
let routes: { method: 'GET' | 'POST' | 'PATCH' | 'DELETE'; path: string }[];

beforeAll(async () => {
  [mine, theirs] = [await given.workspace(), await given.workspace()];
  owner = await givenSignedIn(given, mine);
  stranger = await givenSignedIn(given, theirs);
  const document = (await given.app.inject('/openapi.json')).json();
  routes = Object.entries<object>(document.paths).flatMap(([path, methods]) =>
    path.startsWith('/panel/workspaces/{workspace_id}')
      ? Object.keys(methods).map((method) => ({
          method: method.toUpperCase() as 'GET',
          path,
        }))
      : [],
  );
});

const withoutId = (text: string) => text.replace(/req_[0-9a-f-]{36}/, 'req');

/** Puts this workspace id into the path of a route, and 1 in place of every other parameter. */
const at = (path: string, workspaceId: unknown) =>
  path.replace('{workspace_id}', String(workspaceId)).replace(/\{\w+\}/g, '1');

const send = async (browser: Browser, route: (typeof routes)[number], workspaceId: unknown) => {
  const body = route.method === 'GET' || route.method === 'DELETE' ? undefined : {};
  const { status, text } = await browser.send(route.method, at(route.path, workspaceId), body);
  return `${status} ${withoutId(text)}`;
};

describe('every route under a workspace', () => {
  it('the list of routes under a workspace has at least 20 routes', () => {
    expect(routes.length).toBeGreaterThanOrEqual(20);
  });

  it('every route gives the same 404 for a foreign, an unknown and an invalid workspace id', async () => {
    const notFound =
      '404 {"status":"error","code":"workspace_not_found",' +
      '"msg":"There is no such workspace","request_id":"req","retryable":false}';
    for (const route of routes) {
      for (const workspaceId of [theirs, 999_999_999, 0, -1, 'x', `0${mine}`, `${mine}%00`]) {
        const title = `${route.method} ${route.path} of ${workspaceId}`;
        expect(await send(owner, route, workspaceId), title).toBe(notFound);
      }
    }
  });

  it('each route answers 401 without a session, for an existing and for an unknown workspace', async () => {
    const answers = new Set<string>();
    for (const route of routes) {
      for (const workspaceId of [mine, 999_999_999]) {
        answers.add(await send(openBrowser(given), route, workspaceId));
      }
    }
    expect([...answers].map((each) => each.slice(0, 3))).toEqual(['401']);
  });
});

describe('objects of another workspace', () => {
  it.each([
    ['GET', '', undefined],
    ['PATCH', '', { name: 'Mine' }],
    ['POST', '/rotate', {}],
    ['POST', '/revoke', {}],
    ['POST', '/reveal', undefined],
  ] as const)(
    'an API key of another workspace is not found by %s api-keys/:id%s',
    async (method, action, fields) => {
      const made = await stranger.post(`${stranger.base}/api-keys`, { name: 'Theirs' });
      const { password } = owner.person;
      const answers = [];
      for (const id of [made.body.data.api_key.id, 999_999_999]) {
        const body = method === 'GET' ? undefined : (fields ?? { password });
        const { status, text } = await owner.send(method, `${owner.base}/api-keys/${id}${action}`, body);
        answers.push(`${status} ${withoutId(text)}`);
      }
      expect(answers[0]).toBe(answers[1]);
      expect(answers[0]?.slice(0, 3)).toBe('404');
      const after = await stranger.get(`${stranger.base}/api-keys/${made.body.data.api_key.id}`);
      expect(after.body.data.api_key).toEqual(made.body.data.api_key);
    },
  );

  it('an invitation of another workspace cannot be deleted, because it is not found', async () => {
    const made = await stranger.post(`${stranger.base}/invitations`, {
      email: 'x@guest.example',
      role: 'member',
    });
    const answers = [];
    for (const id of [made.body.data.id, 999_999_999]) {
      const { status, text } = await owner.delete(`${owner.base}/invitations/${id}`);
      answers.push(`${status} ${withoutId(text)}`);
    }
    expect(answers[0]).toBe(answers[1]);
    const open = await stranger.get(`${stranger.base}/invitations`);
    expect(open.body.data.invitations).toHaveLength(1);
  });

  it('objects of another workspace appear in no list of this workspace', async () => {
    const { id } = (await stranger.post(`${stranger.base}/api-keys`, { name: 'Theirs alone' })).body.data
      .api_key;
    for (const list of ['api-keys', 'members', 'invitations', 'audit-log', 'requests', 'usage']) {
      const { status, text } = await owner.get(`${owner.base}/${list}`);
      expect(status).toBe(200);
      expect(text).not.toContain('Theirs');
      expect(text).not.toContain(stranger.person.email);
      expect(text).not.toContain(`"id":${id},`);
    }
  });
});
