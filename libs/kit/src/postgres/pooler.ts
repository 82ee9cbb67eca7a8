// Addresses behind a pooler that lends connections per transaction: nothing of a session survives.

const parameter = 'pooler';

/** Says of an address that a pooler in transaction mode stands there. */
export function markPooled(url: string): string {
  const marked = new URL(url);
  marked.searchParams.set(parameter, 'transaction');
  return marked.href;
}

/** The address without the mark, which is ours alone, and whether it had one. */
export function readPooled(url: string): { url: string; pooled: boolean } {
  if (!url.includes(`${parameter}=`)) return { url, pooled: false };
  const plain = new URL(url);
  const pooled = plain.searchParams.get(parameter) === 'transaction';
  plain.searchParams.delete(parameter);
  return { url: plain.href, pooled };
}

/** `jit=off` and the like, for one transaction; names and values come from code, never from input. */
export const beginWith = (settings: readonly string[]): string =>
  ['begin', ...settings.map((setting) => `set local ${setting}`)].join('; ');
