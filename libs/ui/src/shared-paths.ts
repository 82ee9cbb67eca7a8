// The addresses that both panels have, and the check of the address to which a sign-in returns.
export const sharedPaths = {
  home: '/',
  /** This page is served from `sign-in.html`. All other addresses are pages of the panel's router. */
  signIn: '/sign-in',
  welcome: '/welcome',
  reset: '/reset',
  account: '/account',
} as const;

/**
 * Whether the panel may open the address after a sign-in. Only addresses of this panel are allowed. Browsers
 * ignore tabs and line breaks in an address, so `/<tab>/elsewhere` would lead to another site.
 */
export const isOwnPath = (path: string | null | undefined): path is string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to refuse.
  typeof path === 'string' && /^\/(?![/\\])[^\x00-\x1f]*$/.test(path) && !/^\/sign-in\b/.test(path);
