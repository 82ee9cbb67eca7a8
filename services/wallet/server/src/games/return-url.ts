// Where a player may be sent back to: a page on one of the package's whitelisted domains.
import { isOriginAllowed } from '../packages/customer-package.ts';

/** Visible ASCII alone, as a browser reads it; a backslash or an `@` there moves the host. */
const form = /^https?:\/\/[^\s/?#@\\]+(?:[/?#][!-[\]-~]*)?$/i;

/** In its normal form; undefined for anything else. */
export function parseReturnUrl(given: string, domains: readonly string[]): string | undefined {
  if (!form.test(given) || !URL.canParse(given)) return undefined;
  const url = new URL(given);
  if (url.username !== '' || url.password !== '') return undefined;
  return isOriginAllowed(url.origin, domains) ? url.href : undefined;
}
