// Lists the operations of the wallet service that the client offers, and the names of their types.
import type { Wanted } from '../sdk-shared/write-wire-types.ts';

export const wanted: Wanted = {
  service: 'the wallet service',
  operations: {
    'get /api/v1/package': 'GetPackage',
    'post /api/v1/user/create': 'CreatePlayer',
    'get /api/v1/user/balance': 'GetBalance',
    'get /api/v1/user/list': 'ListPlayers',
    'post /api/v1/user/status': 'SetPlayerStatus',
    'post /api/v1/user/update_balance': 'UpdateBalance',
    'get /api/v1/user/transaction': 'GetTransaction',
    'get /api/v1/user/transactions': 'ListTransactions',
    'get /api/v1/game/list': 'ListGames',
    'post /api/v1/game/launch': 'LaunchGame',
    'post /api/v1/game/session/end': 'EndSession',
    'get /api/v1/round': 'GetRound',
    'get /api/v1/feed': 'ListFeed',
  },
  shapes: {
    CreditAlert: ['get /api/v1/user/balance', 'credit_alert'],
    Player: ['get /api/v1/user/list', 'data', 'players', '[]'],
    Game: ['get /api/v1/game/list', 'data', 'games', '[]'],
    StatementLine: ['get /api/v1/user/transactions', 'data', 'transactions', '[]'],
    FeedLine: ['get /api/v1/feed', 'data', 'movements', '[]'],
  },
  plainNumbers: ['rtp'],
};

/**
 * Operations that the client does not offer. Only providers send callbacks, and this client is for packages.
 */
export const leftOut = ['post /api/v1/game/callback'];
