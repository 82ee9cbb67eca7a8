// The bugs that a test can plant into a small wallet, and the cases of certify that fail because of each bug.
import type { DialectName } from '../../../src/connections/dialects/dialect.ts';

/**
 * The ids of the cases that fail because of a bug, in the order in which certify runs the cases. A text
 * applies to every dialect. An object has an entry for each dialect in which the bug is possible.
 */
type FailedCases = string | Readonly<Partial<Record<DialectName, string>>>;

const repeats = 'repeated-bet repeated-win repeated-rollback';
const returns = 'whole-balance repeated-rollback second-rollback rollback';
const signatures = 'wrong-signature missing-signature signature-before-parsing signature-before-player';
const amounts = 'too-fine-amounts invalid-amounts';
const bodies = 'invalid-json missing-id large-body wrong-currency';

const failedCases = {
  'rounds fine amounts': 'too-fine-amounts',
  'rounds to tenths': 'exact-amounts missing-funds',
  'ignores the sign of amounts': {
    softswiss: 'invalid-amounts atomic-batch-invalid',
    hub88: 'invalid-amounts',
    slotegrator: 'invalid-amounts',
    valkyrie: 'invalid-amounts',
  },
  'lets a bet overdraw': {
    softswiss: 'missing-funds atomic-batch batch-order',
    hub88: 'missing-funds',
    slotegrator: 'missing-funds',
    valkyrie: 'missing-funds atomic-purses',
  },
  'shows no balance in refusals': {
    softswiss: 'missing-funds',
    hub88: 'missing-funds',
    valkyrie: 'missing-funds atomic-purses',
  },
  'accepts every stake': 'maximum-stake',
  'answers the limit as missing funds': 'maximum-stake',
  'applies repeats': {
    softswiss: 'repeated-bet repeated-win parallel-bets reused-id batch',
    hub88: 'repeated-bet repeated-win parallel-bets reused-id repeated-transaction',
    slotegrator: 'repeated-bet repeated-win parallel-bets reused-id',
    valkyrie: 'repeated-bet repeated-win parallel-bets reused-id',
  },
  'applies parallel repeats': 'parallel-bets',
  'refuses repeats': {
    softswiss: `${repeats} parallel-bets reversal-of-win batch`,
    hub88: `${repeats} parallel-bets reversal-of-win repeated-transaction`,
    slotegrator: `${repeats} parallel-bets reversal-of-win rollback-list`,
    valkyrie: `${repeats} parallel-bets`,
  },
  'compares request ids only': {
    hub88: 'reused-id repeated-transaction',
  },
  'answers a repeat with another balance': {
    softswiss: repeats,
    hub88: repeats,
    valkyrie: repeats,
  },
  'answers a repeat with another id': {
    softswiss: `${repeats} parallel-bets reversal-of-win batch`,
    slotegrator: `${repeats} parallel-bets reversal-of-win rollback-list`,
    valkyrie: `${repeats} parallel-bets`,
  },
  'accepts other content under an id': 'reused-id',
  'applies every rollback': {
    softswiss: 'repeated-rollback second-rollback reversal-of-win',
    hub88: 'repeated-rollback second-rollback reversal-of-win',
    slotegrator: 'repeated-rollback second-rollback reversal-of-win rollback-list',
    valkyrie: 'repeated-rollback second-rollback',
  },
  'keeps bets that are rolled back': {
    softswiss: `${returns} reversal-of-win clamped-reversal`,
    hub88: `${returns} win-after-rollback reversal-of-win clamped-reversal late-win expired-session`,
    slotegrator: `${returns} reversal-of-win clamped-reversal rollback-list`,
    valkyrie: `${returns} win-after-rollback expired-session`,
  },
  'forgets tombstones': {
    softswiss: 'rollback-before-bet rollback-before-win',
    hub88: 'rollback-before-bet',
    slotegrator: 'rollback-before-bet',
    valkyrie: 'rollback-before-bet',
  },
  'refuses unknown rollbacks': {
    softswiss: 'rollback-before-bet rollback-before-win unknown-rollback-id blocked-player',
    hub88: 'rollback-before-bet blocked-player',
    slotegrator: 'rollback-before-bet blocked-player',
  },
  'answers unknown rollbacks like others': {
    softswiss: 'unknown-rollback-id',
    valkyrie: 'rollback-before-bet blocked-player',
  },
  'lets a reversal overdraw': {
    softswiss: 'clamped-reversal',
    hub88: 'clamped-reversal',
    slotegrator: 'clamped-reversal',
  },
  'refuses wins before their bets': {
    softswiss: 'win-before-bet atomic-batch batch-order blocked-player',
    slotegrator: 'win-before-bet blocked-player',
  },
  'pays wins without a bet': {
    hub88: 'win-without-bet blocked-player',
    valkyrie: 'win-without-bet blocked-player',
  },
  'pays wins after a rollback': {
    hub88: 'win-after-rollback',
    valkyrie: 'win-after-rollback',
  },
  'pays wins in closed rounds': {
    valkyrie: 'closed-round',
  },
  'rolls settled bets back': {
    valkyrie: 'cancel-of-settled-bet',
  },
  'refuses to end a round twice': {
    softswiss: 'finish',
  },
  'applies half a batch': {
    softswiss: 'atomic-batch',
    valkyrie: 'atomic-purses',
  },
  'validates a batch while it applies it': {
    softswiss: 'atomic-batch-invalid',
    slotegrator: 'atomic-rollback-list',
  },
  'applies wins of a batch first': {
    softswiss: 'batch-order',
  },
  'applies the first of several transactions': {
    slotegrator: 'rollback-list',
  },
  'checks no signature': {
    softswiss: `${signatures} changed-body`,
    hub88: `${signatures} changed-body`,
    slotegrator: `${signatures} changed-body stale-signature used-nonce`,
    valkyrie: signatures,
  },
  'checks the signature after parsing': 'signature-before-parsing',
  'looks for the player first': 'signature-before-player',
  'accepts old signatures': {
    slotegrator: 'stale-signature',
  },
  'accepts nonces twice': {
    slotegrator: 'used-nonce',
  },
  'answers bad input with HTTP 500': {
    softswiss: `${amounts} atomic-batch-invalid ${bodies}`,
    hub88: `${amounts} ${bodies}`,
    slotegrator: `${amounts} atomic-rollback-list ${bodies}`,
    valkyrie: `${amounts} ${bodies}`,
  },
  'answers bad input as missing funds': {
    softswiss: `${amounts} atomic-batch-invalid ${bodies}`,
    hub88: `${amounts} ${bodies}`,
    slotegrator: `${amounts} atomic-rollback-list ${bodies}`,
    valkyrie: `${amounts} ${bodies}`,
  },
  'accepts large bodies': 'large-body',
  'opens unknown players': {
    softswiss: 'unknown-player',
    slotegrator: 'unknown-player',
  },
  'accepts other currencies': 'wrong-currency',
  'accepts bets of blocked players': 'blocked-player',
  'refuses wins of blocked players': 'blocked-player',
  'checks no session': {
    hub88: 'unknown-session session-of-other-player expired-session',
    valkyrie: 'unknown-session session-of-other-player expired-session',
  },
  'accepts sessions of other players': {
    hub88: 'session-of-other-player',
    valkyrie: 'session-of-other-player',
  },
  'accepts bets with an expired session': {
    hub88: 'expired-session',
    valkyrie: 'expired-session',
  },
  'needs a session for every request': {
    hub88: 'late-win expired-session',
    valkyrie: 'expired-session',
  },
  'takes the player from the session': {
    hub88: 'unknown-player session-of-other-player',
    valkyrie: 'unknown-player session-of-other-player',
  },
  'shows another player': {
    valkyrie: 'session',
  },
  'finds no transactions': {
    valkyrie: 'transaction-lookup',
  },
} satisfies Readonly<Record<string, FailedCases>>;

export type Bug = keyof typeof failedCases;

/** The bugs that are possible in a dialect, each with the ids of the cases that fail because of the bug. */
export const listBugs = (dialect: DialectName): [Bug, string[]][] =>
  (Object.entries(failedCases) as [Bug, FailedCases][]).flatMap(([bug, failed]) => {
    const cases = typeof failed === 'string' ? failed : failed[dialect];
    return cases === undefined ? [] : [[bug, cases.split(' ')]];
  });
