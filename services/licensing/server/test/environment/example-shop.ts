// The seller of the examples in the API reference: a fresh service, and a key with all scopes.
import { allScopes } from '../../src/authentication/api-key.ts';
import { type Given, givenLicensing } from './given.ts';

export async function openExampleShop(): Promise<{
  given: Given;
  headersOf: () => Record<string, string>;
}> {
  const given = await givenLicensing();
  const workspaceId = await given.workspace({
    name: 'Paperlane',
    account: {
      firstname: 'Pia',
      lastname: 'Lane',
      username: 'paperlane',
      email: 'pia@paperlane.example',
      currency: 'USD',
      heading: 'Themes for shops of paper',
      contactEmail: 'help@paperlane.example',
      socialLinks: { mastodon: 'https://social.example/@paperlane' },
      registeredAt: new Date('2024-02-01T08:00:00Z'),
    },
  });
  const key = await given.apiKey(workspaceId, { scopes: allScopes });
  return { given, headersOf: () => ({ 'x-api-key': key }) };
}
