// Social links are the same after the conversion to lines of text and back.
import { expect, it } from 'vitest';
import { readLinks, writeLinks } from './person-form.tsx';

it('the form reads the same links from the lines that it wrote, including names with spaces', () => {
  const links = { github: 'https://x.example/a', 'My site': 'https://y.example' };
  expect(readLinks(writeLinks(links))).toEqual(links);
  expect(readLinks('\n \n')).toEqual({});
});

it('the form refuses a line without a URL', () => {
  expect(readLinks('github')).toBeUndefined();
});
