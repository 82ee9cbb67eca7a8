// The addresses that a wallet needs in production, for services that tests and benchmarks start.
/** No provider answers at these addresses. */
export const productionAddresses = {
  WALLET_PUBLIC_URL: 'http://127.0.0.1:4200',
  PROVIDER_PRIVATE_URL: 'http://127.0.0.1:4300/private',
  PROVIDER_PUBLIC_URL: 'http://127.0.0.1:4300/public',
  PROVIDER_API_TOKEN: 'no-provider',
} as const;
