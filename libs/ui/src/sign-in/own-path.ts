// Where somebody goes after signing in.

/**
 * Only back into this panel: an address that canManage elsewhere is not followed. Browsers leave tabs and
 * line breaks out of an address, so `/<tab>/elsewhere` would lead elsewhere too.
 */
export const isOwnPath = (path: string | null | undefined): path is string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to refuse.
  typeof path === 'string' && /^\/(?![/\\])[^\x00-\x1f]*$/.test(path) && !/^\/sign-in\b/.test(path);
