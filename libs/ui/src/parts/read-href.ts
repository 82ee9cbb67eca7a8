// An address with its filters, as the router takes it.
export function readHref(href: string): { to: string; search: Record<string, string> } {
  const [to = '/', search = ''] = href.split('?');
  return { to, search: Object.fromEntries(new URLSearchParams(search)) };
}
