// Social links as lines of a text: a name, a space, an address.

export const writeLinks = (links: Readonly<Record<string, string>>): string =>
  Object.entries(links)
    .map(([name, address]) => `${name} ${address}`)
    .join('\n');

/** Undefined where a line is not both; the address comes last, so a name may have spaces. */
export function readLinks(text: string): Record<string, string> | undefined {
  const links: [string, string][] = [];
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    const [, name, address] = /^\s*(\S.*?)\s+(\S+)\s*$/.exec(line) ?? [];
    if (name === undefined || address === undefined) return undefined;
    links.push([name, address]);
  }
  return Object.fromEntries(links);
}
