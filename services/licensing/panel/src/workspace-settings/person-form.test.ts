// What is written as lines is read back as it was; a half line is refused.
import { expect, it } from 'vitest';
import { readLinks, writeLinks } from './person-form.tsx';

it('reads back what it wrote, names with spaces too', () => {
  const links = { github: 'https://x.example/a', 'My site': 'https://y.example' };
  expect(readLinks(writeLinks(links))).toEqual(links);
  expect(readLinks('\n \n')).toEqual({});
});

it('refuses a line without an address', () => {
  expect(readLinks('github')).toBeUndefined();
});
