// The addresses that exist in both panels, and the check of the address that is opened after a sign-in.
export const sharedPaths = {
  home: '/',
  /** This page is served from `sign-in.html`. All other addresses are pages of the panel's router. */
  signIn: '/sign-in',
  welcome: '/welcome',
  reset: '/reset',
  account: '/account',
} as const;

/**
 * Whether the panel may open this address after a sign-in. Only addresses of this panel are allowed. Control
 * characters are refused: browsers ignore tabs and line breaks in an address, so `/<tab>/elsewhere` would
 * open another site.
 */
export const isOwnPath = (path: string | null | undefined): path is string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to refuse.
  typeof path === 'string' && /^\/(?![/\\])[^\x00-\x1f]*$/.test(path) && !/^\/sign-in\b/.test(path);
