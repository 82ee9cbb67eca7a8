// Addresses of poolers that assign connections per transaction, so that session state is lost.

const parameter = 'pooler';

/** Marks an address as one of a pooler in transaction mode. */
export function markPooled(url: string): string {
  const marked = new URL(url);
  marked.searchParams.set(parameter, 'transaction');
  return marked.href;
}

/** The address without the mark, and whether it was marked. */
export function readPooled(url: string): { url: string; pooled: boolean } {
  if (!url.includes(`${parameter}=`)) return { url, pooled: false };
  const plain = new URL(url);
  const pooled = plain.searchParams.get(parameter) === 'transaction';
  plain.searchParams.delete(parameter);
  return { url: plain.href, pooled };
}

/** Begins a transaction with settings such as `jit=off`, which must come from code, never from input. */
export const beginWith = (settings: readonly string[]): string =>
  ['begin', ...settings.map((setting) => `set local ${setting}`)].join('; ');
