// The buyer portal, built without the libraries of the panel, so that a slow phone shows it after a few
// kilobytes.
import { isProblem } from '@counterfoil/ui/api/problem.ts';
import { get } from '@counterfoil/ui/api/request.ts';
import { language } from '@counterfoil/ui/language.ts';
import { make, makeBrand } from '@counterfoil/ui/sign-in/plain-parts.ts';
import type { BuyerSession } from '../wire.ts';
import { describe, makeAlert, makeLanguages, prefix } from './parts.ts';
import { makePurchasePage } from './purchase.ts';
import { makePurchasesPage } from './purchases.ts';
import { makeLinkPage, makeSignInPage } from './sign-in.ts';
import { words } from './strings.ts';
import { makeUnsubscribePage } from './unsubscribe.ts';
import '@counterfoil/ui/sign-in/plain-page.css';
import './portal.css';

/**
 * Reads a token from the fragment of the address: `token` of a sign-in link, or `unsubscribe`. Browsers do
 * not send the fragment to any server. The token is then removed, so that the history of the browser does
 * not contain it.
 */
function takeToken(name: 'token' | 'unsubscribe'): string {
  const token = new URLSearchParams(window.location.hash.slice(1)).get(name) ?? '';
  if (token !== '') window.history.replaceState(null, '', window.location.pathname);
  return token;
}

const main = document.getElementById('buyers') as HTMLElement;
const brand = makeBrand(words.title);
/** The number of the page that is being shown. An older page that loads slowly is not shown any more. */
let current = 0;

async function findSession(): Promise<BuyerSession | undefined> {
  try {
    return await get<BuyerSession>(`${prefix}/session`);
  } catch (error) {
    if (isProblem(error, 'not_signed_in')) return undefined;
    throw error;
  }
}

const goHome = () => {
  window.history.replaceState(null, '', `${window.location.pathname}${window.location.search}`);
  void show();
};

interface Page {
  readonly parts: readonly Node[];
  readonly isWide?: boolean;
  /**
   * Whether the page has buttons that switch the language. A switch reloads the page, and would lose the
   * token of a link.
   */
  readonly hasLanguages?: boolean;
}

async function makePage(): Promise<Page> {
  const unsubscribe = takeToken('unsubscribe');
  if (unsubscribe !== '') return { parts: [makeUnsubscribePage(unsubscribe)], hasLanguages: false };
  const token = takeToken('token');
  if (token !== '') return { parts: [makeLinkPage(token, goHome)], hasLanguages: false };
  const session = await findSession();
  if (!session) return { parts: [await makeSignInPage(goHome)] };
  const [, sellerId, purchaseId] = /^#(\d+)\/(\d+)$/.exec(window.location.hash) ?? [];
  if (sellerId !== undefined && purchaseId !== undefined) {
    return { parts: [await makePurchasePage(sellerId, purchaseId)], isWide: true };
  }
  return { parts: await makePurchasesPage(session, goHome), isWide: true };
}

function makeProblemPage(error: unknown): Page {
  const alert = makeAlert();
  alert.textContent = describe(error);
  const back = make('a', { href: '/buyers', class: 'back' }, words.purchase.back);
  return { parts: [make('section', {}, make('h1', {}, words.title), alert, back)] };
}

/** Shows the page of the address. An error is shown in place of the page. */
async function show(): Promise<void> {
  const mine = ++current;
  const { parts, isWide = false, hasLanguages = true } = await makePage().catch(makeProblemPage);
  if (mine !== current) return;
  main.classList.toggle('wide', isWide);
  main.replaceChildren(brand, ...parts, ...(hasLanguages ? [makeLanguages()] : []));
  window.scrollTo(0, 0);
}

document.documentElement.lang = language;
document.title = words.title;
window.addEventListener('hashchange', () => void show());
void show();
