// The customer whose calls the reference of the wallet shows: a fresh service, a provider, a package.
import { type Given, givenWallet } from './given.ts';
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
  headers: Record<string, string>;
  close: () => Promise<void>;
}> {
  const provider = await givenProvider();
  provider.games.private = [game, { ...game, id: 'reef-2', name: 'Reef Runner' }];
  const given = await givenWallet(provider.env);
  const { headers } = await given.package({ name: 'Lucky Lane' });
  const close = async () => {
    await given.close();
    await provider.close();
  };
  return { given, headers, close };
}
