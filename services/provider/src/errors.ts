// Every error that the stand-in provider can answer.
import {
  defineErrors,
  errorEntry as entry,
  type ServiceError,
  transportErrors,
} from '@counterfoil/kit/http/errors';

export const errors = defineErrors({
  ...transportErrors,
  unavailable: entry(503, 'Not available right now', true),

  auth_invalid: entry(401, 'The bearer token is missing or wrong'),
  game_not_found: entry(404, 'There is no such game'),
  game_unavailable: entry(409, 'This game cannot be played now'),
  package_not_registered: entry(503, 'The package is not registered here yet', true),
  connection_not_found: entry(404, 'The package has no such connection'),
  nothing_to_repeat: entry(409, 'No callback of this package was sent yet; give a body'),

  session_ended: entry(410, 'This game session has ended'),
  session_expired: entry(403, 'Your session has expired; go back and open the game again'),
  play_refused: entry(403, 'Playing is not possible at the moment'),
  insufficient_funds: entry(422, 'Not enough balance for this stake'),
  settlement_refused: entry(409, 'The wallet refused to settle this round; ask its support'),
  round_in_progress: entry(409, 'The last round is still running'),
  round_conflict: entry(409, 'This round was played already'),
  wallet_unreachable: entry(
    503,
    'The wallet could not be reached; the round is called off and your stake is returned',
    true,
  ),
});

export const { fail } = errors;

/** An `invalid_parameter` error about one field. */
export const invalidField = (field: string, sentence: string): ServiceError =>
  fail('invalid_parameter', { errors: { [field]: [sentence] } });
