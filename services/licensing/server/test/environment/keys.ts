// Calls and audit entries that the tests of API keys share.
import { expect } from 'vitest';
import type { Given } from './given.ts';
import type { Browser } from './panel-browser.ts';

type Owner = Browser & { readonly base: string };

/** Calls the API with the key, and returns `ok` or the code of the refusal. */
export async function callWithKey(given: Given, key: string): Promise<string> {
  const headers = { 'x-api-key': key };
  const answer = await given.app.inject({ url: '/api/account/details', headers });
  return answer.statusCode === 200 ? 'ok' : answer.json().code;
}

export async function generateKey(owner: Owner, body: object = {}): Promise<{ id: number; secret: string }> {
  const answer = await owner.post(`${owner.base}/api-keys`, { name: 'Website', ...body });
  expect(answer.status, answer.text).toBe(200);
  return { id: answer.body.data.api_key.id, secret: answer.body.data.secret };
}

/** The actions on API keys in the audit log, newest first. */
export async function listKeyActions(owner: Owner): Promise<string[]> {
  const { body } = await owner.get(`${owner.base}/audit-log`);
  return body.data.entries
    .map((entry: { action: string }) => entry.action)
    .filter((action: string) => action.startsWith('api_key'));
}
