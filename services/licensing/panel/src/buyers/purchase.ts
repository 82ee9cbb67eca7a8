// One purchase of a buyer: code, support, hosts, downloads, and the replacement of a leaked code.
import { get, post } from '@counterfoil/ui/api/request.ts';
import { formatNumber } from '@counterfoil/ui/language.ts';
import { formatPrice } from '@counterfoil/ui/parts/amount.ts';
import { make } from '@counterfoil/ui/sign-in/plain-parts.ts';
import type { BuyerPurchase } from '../wire.ts';
import { formatDate, makeAction, makeAlert, makeButton, prefix } from './parts.ts';
import { makeState } from './purchases.ts';
import { words } from './strings.ts';

interface Shown {
  readonly path: string;
  readonly purchase: BuyerPurchase;
  readonly alert: HTMLElement;
  /** Reads the purchase again and shows it. `notice` is shown above it. */
  readonly reload: (notice?: string) => Promise<void>;
}

const makeFact = (name: string, ...value: (Node | string)[]) =>
  make('div', { class: 'fact' }, make('dt', {}, name), make('dd', {}, ...value));

function makeCode(code: string): HTMLElement {
  const shown = make('code', { 'data-testid': 'code' }, code);
  const copy = makeButton(words.purchase.copy, () => void write(), { class: 'quiet' });
  const write = async () => {
    // On a page without https, browsers offer no clipboard. The code is then selected instead.
    if (navigator.clipboard) {
      await navigator.clipboard.writeText(code);
      copy.textContent = words.purchase.copied;
    } else window.getSelection()?.selectAllChildren(shown);
  };
  return make('div', { class: 'row' }, shown, copy);
}

function describeSupport(until: string): string {
  if (until === '') return words.purchase.noSupport;
  const date = formatDate(until);
  return new Date(until) < new Date() ? words.purchase.supportEnded(date) : date;
}

function makeFacts({ purchase, alert }: Shown, notice: string): HTMLElement {
  const text = words.purchase;
  const facts = make(
    'dl',
    {},
    makeFact(text.code, makeCode(purchase.purchase_code)),
    makeFact(text.licence, purchase.license_type),
    makeFact(text.price, formatPrice(purchase.price, purchase.currency)),
    makeFact(text.date, formatDate(purchase.date)),
    makeFact(text.support, describeSupport(purchase.supported_until)),
  );
  const head = make('div', { class: 'row' }, make('h1', {}, purchase.item_name), makeState(purchase.state));
  const status = make('p', { class: 'notice', role: 'status' }, notice);
  return make('section', {}, head, make('hr'), alert, status, facts);
}

function makeHosts({ path, purchase, alert, reload }: Shown): HTMLElement {
  const text = words.hosts;
  const rows = purchase.hosts.map((host) => {
    const name = host.target === '' ? text.erased : host.target;
    const release = async () => {
      await post(`${path}/activations/${host.id}/release`);
      await reload();
    };
    const button = makeAction(text.release, release, {
      alert,
      class: 'quiet',
      'aria-label': text.releaseName(name),
    });
    const unused = host.state === 'released' ? text.released : text.ended;
    const isActive = host.state === 'active';
    const label = make('span', {}, name);
    const note = isActive ? text.free : unused;
    const rest = isActive && host.counts ? button : make('span', { class: 'hint' }, note);
    return make('li', { class: 'row' }, label, rest);
  });
  const limit = formatNumber(purchase.host_limit || 10_000);
  const used = make('p', { class: 'hint' }, text.used(purchase.hosts_used, limit));
  const list = rows.length === 0 ? make('p', { class: 'hint' }, text.none) : make('ul', {}, ...rows);
  const hint = make('p', { class: 'hint' }, text.text);
  return make('section', {}, make('h2', {}, text.title), hint, make('hr'), used, list);
}

function makeDownloads({ path, purchase, alert }: Shown): HTMLElement {
  const text = words.downloads;
  const rows = purchase.versions.map((each) => {
    const { version } = each;
    const download = async () => {
      const { url } = await post<{ url: string }>(`${path}/download-links`, { version });
      window.location.assign(url);
    };
    const button = makeAction(text.download, download, {
      alert,
      class: 'quiet',
      'aria-label': text.downloadVersion(version),
    });
    const notes = [
      formatDate(each.date),
      ...(each.channel === 'beta' ? [text.beta] : []),
      ...(version === purchase.downloaded_version ? [text.last] : []),
    ];
    const label = make(
      'div',
      {},
      make('strong', {}, version),
      make('p', { class: 'hint' }, notes.join(' · ')),
    );
    if (each.notes !== '') label.append(make('p', { class: 'notes' }, each.notes));
    return make('li', { class: 'row' }, label, each.can_download ? button : makeHint(text.notIncluded));
  });
  const until = purchase.updates_until;
  const hint = until === '' ? [] : [makeHint(text.until(formatDate(until)))];
  const list = rows.length === 0 ? makeHint(text.none) : make('ul', {}, ...rows);
  return make('section', {}, make('h2', {}, text.title), ...hint, make('hr'), list);
}

const makeHint = (text: string) => make('p', { class: 'hint' }, text);

/** Replacing a code cannot be undone, so the buyer confirms it. */
function makeReplacement({ path, purchase, alert, reload }: Shown): HTMLElement {
  const text = words.leak;
  const replace = async () => {
    await post(`${path}/reissue`);
    await reload(text.done);
  };
  const start = makeButton(text.replace, () => setAsking(true), { class: 'danger' });
  const yes = makeAction(text.yes, replace, { alert, class: 'danger' });
  const no = makeButton(text.no, () => setAsking(false), { class: 'quiet' });
  const question = make('div', { class: 'stack' }, make('p', {}, text.confirm), yes, no);
  const setAsking = (isAsking: boolean) => {
    start.hidden = isAsking;
    question.hidden = !isAsking;
    (isAsking ? yes : start).focus();
  };
  question.hidden = true;
  const isPossible = purchase.state === 'active' || purchase.state === 'disputed';
  const left = purchase.reissues_left;
  const actions = left > 0 ? [makeHint(text.left(left)), start, question] : [makeHint(text.exhausted)];
  const section = make('section', {}, make('h2', {}, text.title), makeHint(text.text), make('hr'));
  section.append(make('div', { class: 'stack' }, ...actions));
  section.hidden = !isPossible;
  return section;
}

/** Returns an element that shows the purchase, and shows it again after each change. */
export async function makePurchasePage(sellerId: string, purchaseId: string): Promise<HTMLElement> {
  const path = `${prefix}/sellers/${sellerId}/purchases/${purchaseId}`;
  const page = make('div', { class: 'page' });
  const reload = async (notice = '') => {
    const { purchase } = await get<{ purchase: BuyerPurchase }>(path);
    const shown = { path, purchase, alert: makeAlert(), reload };
    const back = make('a', { href: '#', class: 'back' }, `← ${words.purchase.back}`);
    const parts = [makeFacts(shown, notice), makeHosts(shown), makeDownloads(shown), makeReplacement(shown)];
    page.replaceChildren(back, ...parts);
    if (notice !== '') page.querySelector('h1')?.scrollIntoView();
  };
  await reload();
  return page;
}
