// The address to open after signing in.

/**
 * Accepts only addresses of this panel. Browsers ignore tabs and line breaks in an address, so
 * `/<tab>/elsewhere` would lead to another site.
 */
export const isOwnPath = (path: string | null | undefined): path is string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to refuse.
  typeof path === 'string' && /^\/(?![/\\])[^\x00-\x1f]*$/.test(path) && !/^\/sign-in\b/.test(path);
