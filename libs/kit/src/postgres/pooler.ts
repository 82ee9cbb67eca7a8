// Marks URLs of poolers in transaction mode, which give each transaction another connection.

const parameter = 'pooler';

/** Marks a URL as that of a pooler in transaction mode. */
export function markPooled(url: string): string {
  const marked = new URL(url);
  marked.searchParams.set(parameter, 'transaction');
  return marked.href;
}

/** Returns the URL without the mark, and whether it was marked. */
export function readPooled(url: string): { url: string; pooled: boolean } {
  if (!url.includes(`${parameter}=`)) return { url, pooled: false };
  const plain = new URL(url);
  const pooled = plain.searchParams.get(parameter) === 'transaction';
  plain.searchParams.delete(parameter);
  return { url: plain.href, pooled };
}

/** The statement that begins a transaction with settings such as `jit=off`. They must not come from input. */
export const beginWith = (settings: readonly string[]): string =>
  ['begin', ...settings.map((setting) => `set local ${setting}`)].join('; ');
