// The addresses that both panels have; each panel's own list takes them in.
export const sharedPaths = {
  home: '/',
  signIn: '/sign-in',
  welcome: '/welcome',
  reset: '/reset',
  account: '/account',
} as const;
