// Connections for tests, as `wallet.connections` of `npm run credentials` lists them.
import { uid } from './given.ts';

/** A key of 1,024 bits, made for these tests. */
const privateKeyPem = [
  '-----BEGIN PRIVATE KEY-----',
  'MIICdwIBADANBgkqhkiG9w0BAQEFAASCAmEwggJdAgEAAoGBANAdVaHbUyiWU1z0',
  'oQCVjK0rsNPMzG4AvrJMasbp7fYhCx/VBUn7ON27z3q854f6DpyOYKz1mrltpD95',
  'OeO64CpwrLteecOfUgS10fr+nCkf2/nkVL56LARFtbhKGR0utVGEoYmdiuqguqol',
  'dR1jB5zerV0DQbAbf0j8VxHy5PKbAgMBAAECgYEAkdRsY92PGPq1cYaNpx4kFFhw',
  'MQnqGg71kXTQwY+8SmL/K5AWg6/BOkbXbTcfun2zbWqrPadggxzcIgotUXFqj63p',
  'OoIa1SzFpVbcegFZxAJM3t0MrxcwNiScvE2yXisIDtaaLw2qYoUIaQajXQvhQ6YO',
  'VbQaOeWU0mZsMcwKH0ECQQD78ePZdjUPaTlH33r7Nd+g7pkGKoBy6wp/X7QW38Ux',
  '10SZ86RBZWKIdelSDwZSLowfgRu1DPTDZdKSBPxWObl7AkEA03bYxaHVX0zft8+h',
  'ylnU4Dnh8P4nBG5wmlHuRHTuSVlTpgMJtmEfXQleAtSYnIQ5MaQH/EyuGZ8Z8BFG',
  'A7WRYQJANYou2FyVZAQBZzOnp9DICCQMItJPX5xxK6ZD2ASPnErZyjmLc1Y/PS6J',
  'eaW1uysnHd7K64uoTAnMWLl0gkJcFwJAbMAqKzlXKnO2eill41Lfj5E1CWMrXbQO',
  'ZM7N4pbgFQjDZBUb4ZeBMa+nkX0UHypA366kDLTCtJqGFFhN0YqHAQJBAOQ8YUr3',
  'iYJSB4F/mcixqNMPwXVeA06/+r+5laUCmjyy++RumXOJsrEYBVKpGs81ETsNFfzb',
  'rsD4L0zuZoVGTxY=',
  '-----END PRIVATE KEY-----',
].join('\n');

const entry =
  <D extends string, S extends object>(dialect: D, secrets: S) =>
  (url: string) => ({
    id: `con_${dialect}`,
    package_uid: uid,
    dialect,
    url,
    ...secrets,
  });

export const connectionEntries = {
  softswiss: entry('softswiss' as const, { token: 'soft-token' }),
  slotegrator: entry('slotegrator' as const, { merchant_id: 'm-1', merchant_key: 'm-key' }),
  valkyrie: entry('valkyrie' as const, { token: 'v-token', recon_token: 'r-token' }),
  hub88: entry('hub88' as const, { private_key_pem: privateKeyPem }),
};
