// Signing in never redirects to another site.
import { expect, it } from 'vitest';
import { isOwnPath } from './shared-paths.ts';

it.each(['/', '/w/1/items?search=a%20b#top', '/w/1'])('the URL %j is a page of the panel', (path) => {
  expect(isOwnPath(path)).toBe(true);
});

it.each([
  ...['https://evil.example/', '//evil.example', '/\\evil.example', '/\t/evil.example'],
  ...['/\n/evil.example', '/\r\\evil.example', '\t//evil.example', ' /w/1', 'w/1', '', null],
])('the URL %j is not a page of the panel', (path) => {
  expect(isOwnPath(path)).toBe(false);
});

it('signing in does not lead to the sign-in page again', () => {
  expect(isOwnPath('/sign-in?to=/w/1')).toBe(false);
});
