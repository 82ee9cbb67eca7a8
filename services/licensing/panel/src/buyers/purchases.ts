// The list of a buyer's purchases, grouped by seller.
import { get, remove } from '@counterfoil/ui/api/request.ts';
import { make } from '@counterfoil/ui/sign-in/plain-parts.ts';
import type { BuyerListedPurchase, BuyerSession } from '../wire.ts';
import { formatDate, makeAction, makeAlert, prefix } from './parts.ts';
import { words } from './strings.ts';

const text = words.list;

interface Page {
  readonly purchases: readonly BuyerListedPurchase[];
  readonly next_cursor?: string;
}

export const makeState = (state: string): HTMLElement =>
  make('span', { class: `state ${state}` }, words.states[state] ?? state);

function makeCard(sellerId: number, purchase: BuyerListedPurchase): HTMLElement {
  const link = make('a', { href: `#${sellerId}/${purchase.id}` }, purchase.item_name);
  link.setAttribute('aria-label', text.details(purchase.item_name));
  const bought = text.bought(formatDate(purchase.date));
  const facts = [bought, purchase.license_type, purchase.code_hint].join(' · ');
  const head = make('div', { class: 'row' }, link, makeState(purchase.state));
  return make('li', {}, head, make('p', { class: 'hint' }, facts));
}

/** Saves the data that the seller stores about the buyer as a file. */
async function saveExport(sellerId: number): Promise<void> {
  const data = await get<object>(`${prefix}/sellers/${sellerId}/export`);
  const file = new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' });
  const url = URL.createObjectURL(file);
  make('a', { href: url, download: `purchases-${sellerId}.json` }).click();
  URL.revokeObjectURL(url);
}

async function makeSeller({ seller_id: id, name }: BuyerSession['sellers'][number]): Promise<HTMLElement> {
  const alert = makeAlert();
  const list = make('ul', { class: 'purchases' });
  let cursor: string | undefined;
  const load = async () => {
    const page = await get<Page>(`${prefix}/sellers/${id}/purchases`, { query: { cursor } });
    list.append(...page.purchases.map((each) => makeCard(id, each)));
    cursor = page.next_cursor;
    more.hidden = cursor === undefined;
  };
  const more = makeAction(text.more, load, { alert, class: 'quiet' });
  const save = makeAction(text.export, () => saveExport(id), { alert, class: 'quiet' });
  await load();
  if (list.childElementCount === 0) list.replaceWith(make('p', { class: 'hint' }, text.none));
  return make('section', {}, make('h2', {}, name), make('hr'), alert, list, more, save);
}

export async function makePurchasesPage(session: BuyerSession, onSignedOut: () => void): Promise<Node[]> {
  const alert = makeAlert();
  const signOut = async () => {
    await remove(`${prefix}/session`);
    onSignedOut();
  };
  const head = make(
    'header',
    { class: 'row' },
    make('div', {}, make('h1', {}, words.title), make('p', { class: 'hint' }, session.email)),
    makeAction(text.signOut, signOut, { alert, class: 'quiet' }),
  );
  const sellers: HTMLElement[] = [];
  for (const seller of session.sellers) sellers.push(await makeSeller(seller));
  const only = session.whole ? [] : [make('p', { class: 'hint' }, text.only)];
  const none = sellers.length === 0 ? [make('p', { class: 'hint' }, text.none)] : [];
  return [head, alert, ...only, ...sellers, ...none];
}
