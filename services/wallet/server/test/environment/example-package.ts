// The service, provider and package of the example calls in the API reference.
import { type Given, givenWallet } from './given.ts';
import { giveMember, giveProgram } from './people.ts';
import { givenProvider } from './provider.ts';

const game = {
  id: 'tides-7',
  name: 'Tides of Seven',
  provider: 'Northlight',
  category: 'slots',
  image: 'https://media.example/tides-7.png',
  rtp: 96.1,
  volatility: 'medium',
  has_demo: true,
  platforms: ['desktop', 'mobile'],
  status: 'active',
};

export async function openExamplePackage(): Promise<{
  given: Given;
  headersOf: (operation: string) => Record<string, string>;
  close: () => Promise<void>;
}> {
  const provider = await givenProvider();
  provider.games.private = [game, { ...game, id: 'reef-2', name: 'Reef Runner' }];
  const given = await givenWallet(provider.env);
  const owner = await given.package({ name: 'Lucky Lane' });
  await giveMember(given, owner, 'owner');
  await giveMember(given, owner, 'member');
  const { token } = await giveProgram(given);
  const headersOf = (operation: string): Record<string, string> =>
    operation.includes(' /admin/') ? { authorization: `Bearer ${token}` } : owner.headers;
  const close = async () => {
    await given.close();
    await provider.close();
  };
  return { given, headersOf, close };
}
