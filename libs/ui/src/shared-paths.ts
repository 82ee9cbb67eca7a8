// The addresses that both panels have.
export const sharedPaths = {
  home: '/',
  /** Served from `sign-in.html`; all others are pages of the panel's router. */
  signIn: '/sign-in',
  welcome: '/welcome',
  reset: '/reset',
  account: '/account',
} as const;
