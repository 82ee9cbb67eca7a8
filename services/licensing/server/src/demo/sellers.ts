// The demo's five accounts: two sell many items, one sells one item, one sells nothing, one may not sell.
import type { NewWorkspace } from '../accounts/create-workspace.ts';

/** The demo's sellers. Their pictures are names of files that `list-demo-media.ts` generates. */
export const sellers: readonly NewWorkspace[] = [
  {
    name: 'Paperlane Themes',
    account: {
      firstname: 'Ada',
      lastname: 'Lindqvist',
      username: 'paperlane',
      email: 'ada@paperlane.example',
      balanceMinor: 128_450n,
      currency: 'USD',
      heading: 'Quiet, fast themes for people who write',
      description: 'Themes and graphics from a studio of three in Malmö, since 2016.',
      contactEmail: 'support@paperlane.example',
      socialLinks: {
        github: 'https://github.example/paperlane',
        mastodon: 'https://social.example/@paperlane',
      },
      avatarUrl: 'avatar.svg',
      coverUrl: 'cover.svg',
      registeredAt: new Date('2016-03-14T09:26:53Z'),
    },
  },
  {
    name: 'Nightjar Audio',
    account: {
      firstname: 'Tomás',
      lastname: 'Reyes',
      username: 'nightjar',
      email: 'tomas@nightjar.example',
      balanceMinor: 9_907n,
      currency: 'EUR',
      heading: 'Loops and motion for the small hours',
      description: 'Royalty-free sound and footage.',
      contactEmail: 'hello@nightjar.example',
      registeredAt: new Date('2021-11-02T22:10:00Z'),
    },
  },
  {
    name: 'One Good Plugin',
    account: {
      firstname: 'Mei',
      lastname: 'Tanaka',
      username: 'onegood',
      email: 'mei@onegood.example',
      balanceMinor: 54_000n,
      currency: 'JPY',
      registeredAt: new Date('2024-01-20T03:00:00Z'),
    },
  },
  {
    name: 'Just Arrived',
    account: { username: 'justarrived', email: 'sam@justarrived.example', currency: 'GBP' },
  },
  {
    name: 'Window Shopper',
    account: {
      username: 'windowshopper',
      email: 'kim@windowshopper.example',
      currency: 'USD',
      isSeller: false,
    },
  },
];
