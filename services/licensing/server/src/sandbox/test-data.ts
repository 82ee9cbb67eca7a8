// The data of every sandbox: one account, three items, and a purchase code for each outcome of a validation.
import type { Account } from '../accounts/account.ts';
import type { NewItem } from '../items/management/create-item.ts';
import type { NewPurchase } from '../purchases/management/issue-purchase.ts';
import { makeTestCode } from '../purchases/validation/test-codes.ts';

const currency = 'USD';
const day = (text: string) => new Date(`${text}T10:00:00Z`);

export const testAccount: Omit<Account, 'workspaceId'> = {
  firstname: 'Tess',
  lastname: 'Seller',
  username: 'test-seller',
  email: 'seller@test.example',
  balanceMinor: 123_456n,
  currency,
  heading: 'A seller for tests',
  description: 'All data that a test key can see is fictitious.',
  contactEmail: 'support@test.example',
  socialLinks: { github: 'https://github.com/test-seller' },
  avatarUrl: 'https://media.test.example/avatar.png',
  coverUrl: 'https://media.test.example/cover.png',
  isSeller: true,
  registeredAt: day('2024-01-02'),
};

type TestItem = Omit<NewItem, 'workspaceId'> & { readonly externalId: string };

const mediaUrl = (file: string) => `https://media.test.example/${file}`;

const fillTestItem = (
  item: Pick<TestItem, 'externalId' | 'kind' | 'name' | 'category'>,
  media: Partial<TestItem>,
): TestItem => ({
  state: 'published',
  description: 'An item of the sandbox.',
  subCategory: 'Tests',
  options: ['Responsive'],
  version: '1.2.0',
  demoLink: `https://demo.test.example/${item.externalId}`,
  tags: ['test'],
  thumbnailUrl: mediaUrl(`${item.externalId}/thumbnail.png`),
  priceRegularMinor: 1999n,
  priceExtendedMinor: 9900n,
  currency,
  createdAt: day('2024-01-03'),
  updatedAt: day('2024-01-03'),
  publishedAt: day('2024-01-03'),
  ...item,
  ...media,
});

export const testItems = [
  fillTestItem(
    { externalId: 'test-theme', kind: 'image', name: 'Test theme', category: 'Themes' },
    { previewImageUrl: mediaUrl('test-theme/preview.png'), screenshotUrls: [mediaUrl('test-theme/1.png')] },
  ),
  fillTestItem(
    { externalId: 'test-clip', kind: 'video', name: 'Test clip', category: 'Video' },
    {
      previewImageUrl: mediaUrl('test-clip/preview.png'),
      previewVideoUrl: mediaUrl('test-clip/preview.mp4'),
    },
  ),
  fillTestItem(
    { externalId: 'test-track', kind: 'audio', name: 'Test track', category: 'Audio' },
    { previewAudioUrl: mediaUrl('test-track/preview.mp3') },
  ),
] as const;

type TestPurchase = Omit<NewPurchase, 'workspaceId' | 'itemId'> & {
  readonly code: string;
  readonly item: (typeof testItems)[number];
};

const [theme, clip, track] = testItems;
const running = new Date('2099-12-31T00:00:00Z');
const over = new Date('2024-08-01T00:00:00Z');

const sell = (end: string, sale: Partial<Omit<TestPurchase, 'code'>> = {}): TestPurchase => ({
  code: makeTestCode(end),
  item: theme,
  licenseType: 'Regular',
  priceMinor: 1999n,
  currency,
  purchasedAt: day('2024-02-01'),
  recordedAt: day('2024-02-01'),
  ...sale,
});

export const testPurchases: readonly TestPurchase[] = [
  sell('1', { supportedUntil: running }),
  sell('2', {
    supportedUntil: running,
    licenseType: 'Extended',
    priceMinor: 9900n,
    downloadedAt: day('2024-02-02'),
  }),
  sell('3', { supportedUntil: over }),
  sell('4'),
  sell('5', { item: clip, supportedUntil: running }),
  sell('6', { item: track, supportedUntil: running }),
  sell('11', { state: 'refunded', supportedUntil: running }),
  sell('12', { state: 'cancelled' }),
  sell('13', { state: 'disputed', supportedUntil: running }),
  sell('2000', { supportedUntil: running }),
];
