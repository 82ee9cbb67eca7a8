// The requests with which each dialect lists and launches the games of its provider. The dialect of Valkyrie
// has no such requests.
import type { LaunchOrder, UpstreamFailure } from '../../upstream/upstream.ts';
import type { DialectName, Secrets, Terms } from '../dialects/dialect.ts';
import * as hub88 from '../dialects/hub88/outward.ts';
import * as slotegrator from '../dialects/slotegrator/outward.ts';
import * as softswiss from '../dialects/softswiss/outward.ts';

export interface OutwardRequest {
  readonly method: 'GET' | 'POST';
  /** The path, relative to the provider's URL. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/**
 * The time and the nonce of a request. They are parameters, because the functions that build requests are
 * pure.
 */
interface Stamp {
  /** The time of the request in seconds since 1970. */
  readonly timestamp: number;
  readonly nonce: string;
}

/** The credentials and settings of a connection, with the time and the nonce of a request. */
export interface Signing {
  readonly secrets: Secrets;
  readonly terms: Terms;
  readonly stamp: Stamp;
}

/** A game in the format of docs/reference/provider.md, without the prefix of the connection. */
export interface ProviderGame {
  readonly id: string;
  readonly name: string;
  readonly provider?: string | undefined;
  readonly category?: string | undefined;
  readonly image?: string | undefined;
  readonly images?: Readonly<Record<string, string>>;
  readonly rtp?: number | undefined;
  readonly volatility?: string | undefined;
  readonly has_demo?: boolean | undefined;
  readonly platforms?: readonly string[];
  readonly status?: 'active';
}

interface Unusable {
  readonly kind: 'failed';
  readonly reason: UpstreamFailure['reason'];
}

type PageAnswer =
  | { readonly kind: 'listed'; readonly games: readonly ProviderGame[]; readonly pageCount: number }
  | Unusable;

type UrlAnswer =
  | { readonly kind: 'launched'; readonly launchUrl: string }
  | { readonly kind: 'refused'; readonly code: 'game_unavailable' }
  | Unusable;

/**
 * The functions that build requests return undefined if the connection lacks a credential, or if the game
 * belongs to a different source.
 */
export interface OutwardDialect {
  /** Whether the list has several pages. The answer then contains the number of pages. */
  readonly isPaged: boolean;
  buildList(signing: Signing, page: number): OutwardRequest | undefined;
  parseList(status: number, body: Buffer, terms: Terms): PageAnswer;
  buildLaunch(signing: Signing, order: LaunchOrder): OutwardRequest | undefined;
  parseLaunch(status: number, body: Buffer): UrlAnswer;
}

const findCasino = ({ casino_id: casinoId, token }: Secrets) =>
  casinoId && token ? { casinoId, token } : undefined;

const softswissOutward: OutwardDialect = {
  isPaged: false,
  buildList: ({ secrets }) => {
    const casino = findCasino(secrets);
    return casino && softswiss.buildGameListRequest(casino);
  },
  parseList: (status, body, terms) => {
    const answer = softswiss.parseGameList(status, body, terms);
    if (answer.kind === 'failed') return answer;
    const games = answer.games.map((game) => ({
      id: game.gameId,
      name: game.title,
      category: game.category,
      image: game.thumbnail,
      images: game.images,
      rtp: game.payout,
      volatility: game.volatility,
      has_demo: game.hasDemo,
    }));
    return { kind: 'listed', games, pageCount: 1 };
  },
  buildLaunch: ({ secrets, terms }, order) => {
    const casino = findCasino(secrets);
    return casino && softswiss.buildLaunchRequest(casino, order, terms);
  },
  parseLaunch: softswiss.parseLaunch,
};

const hub88Outward: OutwardDialect = {
  isPaged: false,
  buildList: ({ secrets, terms }) => hub88.buildGameListRequest(secrets, terms),
  parseList: (status, body, terms) => {
    const answer = hub88.parseGameList(status, body, terms);
    if (answer.kind === 'failed') return answer;
    const games = answer.games.map((game) => ({
      id: game.gameId,
      name: game.title,
      provider: game.product,
      category: game.category,
      image: game.thumbnail,
      ...(game.background !== undefined && { images: { background: game.background } }),
      platforms: game.platforms,
      has_demo: game.hasDemo,
      // Disabled games are not in the parsed list.
      status: 'active' as const,
    }));
    return { kind: 'listed', games, pageCount: 1 };
  },
  buildLaunch: ({ secrets, terms }, order) => hub88.buildGameUrlRequest(secrets, order, terms),
  parseLaunch: hub88.parseGameUrl,
};

const findSigner = ({ secrets, stamp }: Signing): slotegrator.Signer | undefined => {
  const { merchant_id: merchantId, merchant_key: merchantKey } = secrets;
  return merchantId && merchantKey ? { merchant: { merchantId, merchantKey }, stamp } : undefined;
};

const slotegratorOutward: OutwardDialect = {
  isPaged: true,
  buildList: (signing, page) => {
    const signer = findSigner(signing);
    return signer && slotegrator.buildGamesRequest(page, signer);
  },
  parseList: (status, body, terms) => {
    const answer = slotegrator.parseGames(status, body, terms);
    if (answer.kind === 'failed') return answer;
    const games = answer.games.map((game) => ({
      id: game.gameId,
      name: game.title,
      provider: game.provider,
      category: game.category,
      image: game.image,
      rtp: game.payout,
      volatility: game.volatility,
      platforms: [game.isMobile ? 'mobile' : 'desktop'],
    }));
    return { kind: 'listed', games, pageCount: answer.pageCount };
  },
  buildLaunch: (signing, order) => {
    const signer = findSigner(signing);
    return signer && slotegrator.buildInitRequest(order, signing.terms, signer);
  },
  parseLaunch: slotegrator.parseLaunch,
};

export const outwardDialects: Readonly<Partial<Record<DialectName, OutwardDialect>>> = {
  softswiss: softswissOutward,
  hub88: hub88Outward,
  slotegrator: slotegratorOutward,
};
