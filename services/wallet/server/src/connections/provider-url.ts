// The addresses that providers call: `/providers/{id}` and the paths of the dialect after it.

export const providersPrefix = '/providers/';

export const isProviderUrl = (url: string): boolean => url.startsWith(providersPrefix);

/** The parts of a URL after `/providers/`: the id of the connection, its path and the query. */
export function splitUrl(url: string): { id: string; path: string; query: string } {
  const queryAt = url.indexOf('?');
  const end = queryAt < 0 ? url.length : queryAt;
  const slashAt = url.indexOf('/', providersPrefix.length);
  const idEnd = slashAt < 0 || slashAt > end ? end : slashAt;
  const id = url.slice(providersPrefix.length, idEnd);
  return { id, path: url.slice(idEnd, end), query: url.slice(end + 1) };
}
