// Marks the URL of a pooler in transaction mode. Such a pooler may use another connection for each
// transaction.

const parameter = 'pooler';

/** Marks a URL as the URL of a pooler in transaction mode. */
export function markPooled(url: string): string {
  const marked = new URL(url);
  marked.searchParams.set(parameter, 'transaction');
  return marked.href;
}

/** Returns the URL without the parameter that `markPooled` adds, and whether the URL had this parameter. */
export function readPooled(url: string): { url: string; pooled: boolean } {
  if (!url.includes(`${parameter}=`)) return { url, pooled: false };
  const plain = new URL(url);
  const pooled = plain.searchParams.get(parameter) === 'transaction';
  plain.searchParams.delete(parameter);
  return { url: plain.href, pooled };
}

/**
 * Returns the statement that begins a transaction with settings such as `jit=off`. The settings must not come
 * from input, because they are not escaped.
 */
export const beginWith = (settings: readonly string[]): string =>
  ['begin', ...settings.map((setting) => `set local ${setting}`)].join('; ');
