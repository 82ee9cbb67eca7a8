// The types of the service's responses, derived from its schemas.
import type { AdminTokenAnswer } from '@counterfoil/wallet-server/admin-tokens/admin-token';
import type { CallbackLineAnswer } from '@counterfoil/wallet-server/callbacks/callback-log';
import type {
  CallCode as AnyCallCode,
  CallAnswer,
  NamedCall as NamedCallAnswer,
} from '@counterfoil/wallet-server/connections/calls/call-line';
import type { ConnectionAnswer } from '@counterfoil/wallet-server/connections/connection';
import type { FeedLine } from '@counterfoil/wallet-server/feed/feed-line';
import type { UpstreamAnswer } from '@counterfoil/wallet-server/games/catalogue';
import type { GameAnswer, GameList as GameListAnswer } from '@counterfoil/wallet-server/games/game';
import type { LaunchAnswer } from '@counterfoil/wallet-server/games/launch';
import type { GameSourceAnswer } from '@counterfoil/wallet-server/games/source-health';
import type { TransactionAttempts } from '@counterfoil/wallet-server/inspector/transaction-attempts';
import type { TotalsAnswer } from '@counterfoil/wallet-server/journal/journal-totals';
import type { presentFigures } from '@counterfoil/wallet-server/live/figures';
import type { PairAnswer } from '@counterfoil/wallet-server/packages/credentials/key-pair';
import type { CreditAnswer } from '@counterfoil/wallet-server/packages/credit/runway';
import type { TopUpLine } from '@counterfoil/wallet-server/packages/credit/top-up';
import type { PackageAnswer } from '@counterfoil/wallet-server/packages/managed-package';
import type { RegistrationAnswer } from '@counterfoil/wallet-server/packages/registration/registration';
import type {
  PlayerAnswer,
  PlayerDetails as PlayerDetailsAnswer,
} from '@counterfoil/wallet-server/players/player';
import type { ProofAnswer } from '@counterfoil/wallet-server/proof/proof';
import type { RoundAnswer, RoundLine as RoundLineAnswer } from '@counterfoil/wallet-server/rounds/round';
import type { StatementLine as StatementAnswer } from '@counterfoil/wallet-server/transactions/transaction';
import type { FailureReason as AnyFailureReason } from '@counterfoil/wallet-server/upstream/upstream';
import type { eventTypes } from '@counterfoil/wallet-server/webhooks/event-schemas';
import type { Static, TObject } from 'typebox';

export type AdminToken = Static<typeof AdminTokenAnswer>;
export type CallbackLine = Static<typeof CallbackLineAnswer>;
export type Connection = Static<typeof ConnectionAnswer>;
export type CallCode = AnyCallCode;
export type FailureReason = AnyFailureReason;
export type ProviderCall = Static<typeof CallAnswer>;
export type NamedCall = Static<typeof NamedCallAnswer>;
export type EventType = keyof typeof eventTypes;
export type Inspected = Static<typeof TransactionAttempts>;
export type KeyPair = Static<typeof PairAnswer>;
export type Package = Static<typeof PackageAnswer>;
export type Credit = Static<typeof CreditAnswer>;
export type TopUp = Static<typeof TopUpLine>;
export type Movement = Static<typeof FeedLine>;
export type Game = Static<typeof GameAnswer>;
export type GameSource = Static<typeof GameSourceAnswer>;
export type GameList = Static<typeof GameListAnswer>;
export type Launch = Static<typeof LaunchAnswer>;
export type Upstream = Static<typeof UpstreamAnswer>;
export type Totals = Static<typeof TotalsAnswer>;
export type Figures = ReturnType<typeof presentFigures>;
export type Player = Static<TObject<typeof PlayerAnswer>>;
export type PlayerDetails = Static<typeof PlayerDetailsAnswer>;
export type Proof = Static<typeof ProofAnswer>;
export type Registration = Static<typeof RegistrationAnswer>;
export type Round = Static<typeof RoundAnswer>;
export type RoundLine = Static<typeof RoundLineAnswer>;
export type StatementLine = Static<typeof StatementAnswer>;
