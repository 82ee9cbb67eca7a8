// The session of a buyer in the buyer portal: its cookie, its limits, and the hook that requires it.
import { readSessionToken, type SessionCookie } from '@counterfoil/identity/sessions/cookie';
import { hashSecret, type MasterKey } from '@counterfoil/kit/crypto/secrets';
import { parseId } from '@counterfoil/kit/http/parameters';
import { createRequestContext } from '@counterfoil/kit/http/request-context';
import type { Db } from '@counterfoil/kit/postgres/db';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { fail } from '../errors.ts';
import { NamedObject } from '../wire/input.ts';
import { findToken, findWithCode, hasCurrentCode, type SessionAt } from './queries.ts';

const minuteMs = 60_000;
export const linkLifetimeMs = 30 * minuteMs;
export const sessionLifetimeMs = 12 * 60 * minuteMs;

/** A buyer is an e-mail address with purchases in one or more workspaces. */
export interface Buyer {
  readonly email: string;
  /** The workspaces in which the e-mail address had purchases at sign-in. */
  readonly workspaceIds: readonly bigint[];
  /** If set, the session was opened with the code of this purchase, and shows only this purchase. */
  readonly purchaseId?: bigint | undefined;
  /** The hash of the code that opened the session. The session ends when the purchase gets a new code. */
  readonly codeHash?: Buffer | undefined;
}

export interface BuyerSession extends Buyer {
  readonly tokenHash: Buffer;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

export const BuyerSessionAnswer = NamedObject('BuyerSession', {
  email: Type.String(),
  expires_at: Type.String(),
  whole: Type.Boolean({
    description: 'False if a code has opened the session. The session then shows only that purchase.',
  }),
  sellers: Type.Array(
    Type.Object({
      seller_id: Type.Integer({ description: "The id of the seller's workspace." }),
      name: Type.String({ description: 'The name of the seller.' }),
    }),
    { description: 'The sellers from whom the buyer has purchases, by name.' },
  ),
});

export interface SessionDeps {
  readonly db: Db;
  readonly masterKey: MasterKey;
  readonly now: () => Date;
  readonly cookie: SessionCookie;
}

/**
 * The cookie differs from the cookie of the sellers' panel, so neither session gives access to the routes of
 * the other.
 */
export function makeBuyerCookie(url: string): SessionCookie {
  const publicUrl = new URL(url);
  const name = 'counterfoil_buyer';
  return {
    cookieName: publicUrl.protocol === 'https:' ? `__Host-${name}` : name,
    publicUrl,
    sameSite: 'lax',
    lifetimeMs: sessionLifetimeMs,
  };
}

export const buyerSecurity = [{ buyer: [] }];

const sessionForm = /^cfp_[A-Za-z0-9_-]{43}$/;
const sessions = createRequestContext<BuyerSession>('session of a buyer');

/** The hash of the session token in the cookie; undefined without a well-formed token. */
export function readSessionHash(
  { masterKey, cookie }: Pick<SessionDeps, 'masterKey' | 'cookie'>,
  request: Pick<FastifyRequest, 'headers'>,
): Buffer | undefined {
  const token = readSessionToken(cookie, request);
  return token !== undefined && sessionForm.test(token) ? hashSecret(masterKey, token) : undefined;
}

/** An `onRequest` hook that refuses a request without the session of a buyer. */
export const requireBuyer = (deps: SessionDeps) => async (request: FastifyRequest) => {
  const tokenHash = readSessionHash(deps, request);
  const session = tokenHash && (await findSession(deps, tokenHash));
  if (!session) throw fail('not_signed_in');
  sessions.set(request, session);
};

/** Finds the session if the purchase still has the code that opened it. */
async function findSession(deps: SessionDeps, tokenHash: Buffer): Promise<BuyerSession | undefined> {
  const { db } = deps;
  const now = deps.now();
  const session = await findToken(db, { tokenHash, purpose: 'session', now });
  if (!session) return undefined;
  return findWithCode(db, { session, now }, async (each) =>
    (await hasCurrentCode(db, each)) ? each : undefined,
  );
}

export const getBuyer = (request: object): BuyerSession => sessions.get(request);

/** The session of a request, for statements that compare its code with the code of the purchase. */
export const getSessionAt = (request: object, { now }: Pick<SessionDeps, 'now'>): SessionAt => ({
  session: getBuyer(request),
  now: now(),
});

/**
 * Returns the id of the workspace that the URL names. A workspace that is not in the session gets the answer
 * of a workspace that does not exist.
 */
export function getSellerId(request: FastifyRequest): bigint {
  const id = parseId((request.params as { seller_id?: string }).seller_id ?? '');
  if (!getBuyer(request).workspaceIds.includes(id)) throw fail('workspace_not_found');
  return id;
}
