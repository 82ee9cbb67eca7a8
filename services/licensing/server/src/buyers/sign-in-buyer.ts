// Signs a buyer in: with a one-time link that is sent by mail, or with an e-mail address and a purchase code.
import { parseEmail } from '@counterfoil/identity/members/person';
import { countAttempt } from '@counterfoil/identity/passwords/attempts';
import type { SignIn } from '@counterfoil/identity/sessions/sign-in';
import { hashSecret, makeSecret } from '@counterfoil/kit/crypto/secrets';
import { ServiceError } from '@counterfoil/kit/http/errors';
import type { Language } from '@counterfoil/kit/http/headers';
import { networkOf } from '@counterfoil/kit/http/network';
import type { Tx } from '@counterfoil/kit/postgres/db';
import type { Mailer } from '@counterfoil/mail/outbox/mailer';
import { fail } from '../errors.ts';
import { hashCode, parseCode } from '../purchases/code.ts';
import { refuseField } from '../wire/refusals.ts';
import { type Buyer, linkLifetimeMs, type SessionDeps, sessionLifetimeMs } from './buyer-session.ts';
import { findNewestPurchase, findPurchaseByCode, searchWorkspaces } from './queries.ts';
import type { RefusedSignIns } from './refused-sign-ins.ts';
import { deleteExcessSessions, deleteExpiredTokens, deleteSession, insertToken, takeLink } from './store.ts';

export interface SignInDeps extends SessionDeps {
  readonly signIn: SignIn;
  readonly mailer: Mailer;
  readonly refusedSignIns: RefusedSignIns;
}

interface Wanted {
  readonly email: string;
  /** The network address of the request. */
  readonly address: string;
  /** Only this workspace is searched; undefined means all workspaces. */
  readonly sellerId: bigint | undefined;
}

const quarterHourMs = 15 * 60_000;
const hourMs = 60 * 60_000;
const sessionsPerBuyer = 20;
/** A link opens the purchases of at most this number of sellers. */
const maxSellers = 50;
const linkForm = /^cfb_[A-Za-z0-9_-]{43}$/;

/**
 * The limits for requests for a link. They count known and unknown e-mail addresses alike. In addition, the
 * mailer limits the messages to one e-mail address.
 */
const linkLimits = (email: string, network: string) => [
  { policy: 'buyer-links', key: `buyer link ${network} ${email}`, max: 5, windowMs: hourMs },
  { policy: 'buyer-links', key: `buyer links from ${network}`, max: 20, windowMs: hourMs },
];

/**
 * The limits for wrong codes. The first limit stops a network that tries one e-mail address. The second limit
 * stops a network that tries many e-mail addresses. The third limit stops many networks that try one e-mail
 * address.
 */
const codeLimits = (email: string, network: string) => {
  const policy = 'buyer-sign-ins';
  return [
    { policy, key: `buyer code ${network} ${email}`, max: 10, windowMs: quarterHourMs },
    { policy, key: `buyer codes from ${network}`, max: 50, windowMs: quarterHourMs },
    { policy, key: `buyer codes for ${email}`, max: 500, windowMs: quarterHourMs },
  ];
};

export function readBuyerEmail(text: string): string {
  const email = parseEmail(text);
  if (email === undefined) throw refuseField('email', 'must be an e-mail address.');
  return email;
}

/** Checks whether a link may be requested, without looking up the e-mail address. */
export async function admitLinkRequest({ signIn, mailer }: SignInDeps, wanted: Wanted): Promise<void> {
  const msg = 'This installation sends no mail; sign in with a purchase code';
  if (mailer.mode === 'off') throw fail('mail_off', { msg });
  await countAttempt(signIn, linkLimits(wanted.email, networkOf(wanted.address)));
}

/**
 * Queues the mail with a link if the e-mail address has purchases. Earlier links stay valid. If they did not,
 * a stranger could end the link of the buyer by asking for another link.
 */
export async function sendBuyerLink(
  { db, masterKey, mailer, now }: SignInDeps,
  { email, sellerId, language }: Wanted & { language: Language },
): Promise<void> {
  const found = await searchWorkspaces(db, sellerId, (workspaceId) =>
    findNewestPurchase(db, { workspaceId, email }),
  );
  const workspaces = found.slice(0, maxSellers).map(({ workspace }) => workspace);
  if (workspaces.length === 0) return;
  const at = now();
  const expiresAt = new Date(at.getTime() + linkLifetimeMs);
  const token = makeSecret('cfb_');
  // Browsers do not send the part after #, so the token is in no access log and no Referer.
  const url = `${mailer.sender.publicUrl}/buyers#token=${token}`;
  const sellers = workspaces.map(({ name }) => name);
  await db.transaction(async (tx) => {
    await deleteExpiredTokens(tx, at);
    const buyer = { email, workspaceIds: workspaces.map(({ id }) => id) };
    await insertToken(tx, { tokenHash: hashSecret(masterKey, token), purpose: 'link', buyer, at, expiresAt });
    const values = { url, expiresAt: expiresAt.toISOString(), sellers };
    const content = { kind: 'buyer_link', values } as const;
    await mailer.queue(tx, { tenantId: 0n, to: email, language, content, expiresAt });
  });
}

/**
 * Uses a link and returns the token of the new session. Used, expired and invented links get the same error.
 */
export async function redeemBuyerLink(
  deps: SignInDeps,
  { token, previous }: { token: string; previous: Buffer | undefined },
): Promise<string> {
  if (!linkForm.test(token)) throw fail('link_invalid');
  const tokenHash = hashSecret(deps.masterKey, token);
  return await deps.db.transaction(async (tx) => {
    const buyer = await takeLink(tx, tokenHash, deps.now());
    if (!buyer) throw fail('link_invalid');
    return await openBuyerSession(deps, tx, { buyer, previous });
  });
}

/**
 * Opens a session for the purchase with this code. A code may have leaked, so the session shows only this
 * purchase, and not the other purchases of the e-mail address.
 */
export async function signInWithCode(
  deps: SignInDeps,
  wanted: Wanted & { code: string; previous: Buffer | undefined },
): Promise<string> {
  const { db, masterKey, refusedSignIns } = deps;
  const { email, previous, sellerId } = wanted;
  const code = parseCode(wanted.code);
  if (code === undefined) throw refuseField('purchase_code', 'is malformed.');
  const limits = codeLimits(email, networkOf(wanted.address));
  const attempt = await countAttempt(deps.signIn, limits).catch((error) => {
    const isLimited = error instanceof ServiceError && error.code === 'rate_limited';
    if (isLimited) refusedSignIns.recordLimited(wanted);
    throw error;
  });
  const codeHash = hashCode(masterKey, code);
  // A seller in the request is attacked, even if the e-mail has no purchase there.
  const unknown = sellerId === undefined ? undefined : { id: undefined, hasCode: false };
  const found = await searchWorkspaces(
    db,
    sellerId,
    async (workspaceId) => (await findPurchaseByCode(db, { workspaceId, email, codeHash })) ?? unknown,
  );
  const match = found.find((each) => each.found.hasCode);
  if (!match) {
    refusedSignIns.record(
      wanted,
      code,
      found.slice(0, maxSellers).map(({ workspace }) => workspace.id),
    );
    throw fail('buyer_sign_in_failed');
  }
  await attempt.giveBack();
  const buyer = { email, workspaceIds: [match.workspace.id], purchaseId: match.found.id, codeHash };
  return await db.transaction((tx) => openBuyerSession(deps, tx, { buyer, previous }));
}

/** Ends a session. Ending a session that does not exist changes nothing. */
export const endBuyerSession = ({ db }: SignInDeps, tokenHash: Buffer): Promise<void> =>
  db.transaction((tx) => deleteSession(tx, tokenHash));

/** Every sign-in opens a new session and ends the previous session of the browser. */
async function openBuyerSession(
  { masterKey, now }: SignInDeps,
  tx: Tx,
  { buyer, previous }: { buyer: Buyer; previous: Buffer | undefined },
): Promise<string> {
  const at = now();
  const token = makeSecret('cfp_');
  await deleteExpiredTokens(tx, at);
  if (previous) await deleteSession(tx, previous);
  await insertToken(tx, {
    tokenHash: hashSecret(masterKey, token),
    purpose: 'session',
    buyer,
    at,
    expiresAt: new Date(at.getTime() + sessionLifetimeMs),
  });
  await deleteExcessSessions(tx, buyer.email, sessionsPerBuyer);
  return token;
}
