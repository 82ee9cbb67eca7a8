// A request is authentic if it contains one of the tokens of the connection that are valid now.
import { describe, expect, it } from 'vitest';
import { recon, requestOf, secrets } from '../../../../test/environment/valkyrie-requests.ts';
import { authenticate, hasFullToken, isReconToken, signValkyrieRequest } from './signature.ts';

const withHeader = (authorization: string | undefined) => ({ ...requestOf(), headers: { authorization } });

describe('a request of Valkyrie', () => {
  it.each(['Bearer pam-token', 'bearer pam-token', `Bearer ${recon}`])(
    'a request with the header %s is authentic',
    (header) => {
      expect(authenticate(withHeader(header), secrets)).toEqual({ kind: 'authentic' });
    },
  );

  it.each([
    undefined,
    '',
    'Bearer',
    'Bearer ',
    'pam-token',
    'Basic pam-token',
    'Bearer PAM-TOKEN',
    'Bearer pam-toke',
    'Bearer pam-token2',
    'Bearer pam-token x',
    'Bearer pam-tokeń',
    'Bearer undefined',
  ])('a request with the header %j is forged', (header) => {
    expect(authenticate(withHeader(header), secrets)).toEqual({ kind: 'forged' });
  });

  it('a request is authentic with either the old or the new token during an overlap', () => {
    const both = [{ token: 'new' }, ...secrets];
    expect(authenticate(withHeader('Bearer new'), both).kind).toBe('authentic');
    expect(authenticate(withHeader('Bearer pam-token'), both).kind).toBe('authentic');
    expect(authenticate(withHeader('Bearer pam-token'), [{ token: 'new' }]).kind).toBe('forged');
  });

  it.each([{}, { token: '' }, { token: '', recon_token: '' }])(
    'a request with an empty token is forged if the secrets are %j',
    (given) => {
      expect(authenticate(withHeader('Bearer undefined'), [given]).kind).toBe('forged');
      expect(authenticate(withHeader('Bearer '), [given]).kind).toBe('forged');
      expect(isReconToken('', [given])).toBe(false);
      expect(isReconToken(undefined, [given])).toBe(false);
    },
  );

  it('hasFullToken is true for the connection’s own token and false for the recon token', () => {
    expect(hasFullToken(withHeader('Bearer pam-token'), secrets)).toBe(true);
    expect(hasFullToken(withHeader(`Bearer ${recon}`), secrets)).toBe(false);
  });
});

it('the stand-in provider sends the player’s token if the player has one', () => {
  expect(signValkyrieRequest('pam-token', 'gs_1')).toMatchObject({
    authorization: 'Bearer pam-token',
    'x-player-token': 'gs_1',
  });
  expect(signValkyrieRequest('pam-token')).not.toHaveProperty('x-player-token');
});
