// Values for the settings that a wallet requires in production. Tests and benchmarks start wallets with them.
/** No provider answers at these addresses. */
export const productionAddresses = {
  WALLET_PUBLIC_URL: 'http://127.0.0.1:4200',
  PROVIDER_PRIVATE_URL: 'http://127.0.0.1:4300/private',
  PROVIDER_PUBLIC_URL: 'http://127.0.0.1:4300/public',
  PROVIDER_API_TOKEN: 'no-provider',
} as const;
