// Creates secrets of every kind through the service's APIs. canaries.attack.ts later searches for these
// secrets.
import { createPasswordResetLink } from '@counterfoil/identity/links/link';
import { totpCode, totpStepAt } from '@counterfoil/identity/second-factor/totp';
import { getPost } from './operations.ts';
import type { Sender } from './send.ts';
import { makeJsonRequest, makePerson, password, type Target } from './target.ts';

export type Secrets = (readonly [name: string, secret: string])[];

type Ask = (path: string, body: object, as?: string) => Promise<ReturnType<typeof JSON.parse>>;

const tokenOf = (url: string): string => url.split('#token=')[1] ?? '';

/** Decodes Base32 (RFC 4648), in which TOTP secrets are shown. */
function fromBase32(text: string): Buffer {
  const bits = [...text].map((letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  );
  const bytes = bits.join('').match(/.{8}/g) ?? [];
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)));
}

/** Sends a POST as the tenant's owner. A path of the tenant is given without the tenant's prefix. */
function askAsOwner(target: Target, sender: Sender): Ask {
  return async (path, body, cookie) => {
    const operation = getPost(target.document, path);
    const request = makeJsonRequest(target, operation, JSON.stringify(body));
    const headers = { ...request.headers, ...(cookie && { cookie }) };
    const answer = await sender.send({ ...request, headers });
    if (answer.status >= 300) throw new Error(`${operation.title}: ${answer.text}`);
    const [given] = [answer.headers['set-cookie']].flat();
    return { ...JSON.parse(answer.text).data, cookie: given?.split(';')[0] };
  };
}

async function makePersonSecrets(target: Target, ask: Ask): Promise<Secrets> {
  const { email } = await makePerson(target.db, []);
  const { cookie } = await ask('/panel/session', { email, password });
  const { secret } = await ask('/panel/second-factor', { password }, cookie);
  const bytes = fromBase32(secret);
  const code = totpCode(bytes, totpStepAt(target.signIn.now()));
  const confirmed = await ask('/panel/second-factor/confirm', { code }, cookie);
  const codes: readonly string[] = confirmed.recovery_codes ?? [];
  const reset = await target.db.transaction((tx) => createPasswordResetLink(target.signIn, tx, { email }));
  return [
    ['TOTP secret', secret],
    ['TOTP secret in base64', bytes.toString('base64').replace(/=+$/, '')],
    ['TOTP secret in hex', bytes.toString('hex')],
    ...codes.flatMap(
      (each): Secrets => [
        ['recovery code', each],
        ['recovery code without dashes', each.replaceAll('-', '')],
      ],
    ),
    ['reset link', tokenOf(reset.url)],
    ['session of a person with a second factor', String(cookie).split('=')[1] ?? ''],
  ];
}

export async function makeSecrets(target: Target, sender: Sender, eventType: string): Promise<Secrets> {
  const ask = askAsOwner(target, sender);
  const hook = { url: 'https://canary.invalid/', events: [eventType] };
  const invited = await ask('invitations', { email: 'canary@test.example', role: 'member' });
  return [
    ['webhook secret', (await ask('webhooks', hook)).secret],
    ['rotated webhook secret', (await ask('webhooks/{webhook_id}/rotate', { overlap_hours: 1 })).secret],
    ['revealed webhook secret', (await ask('webhooks/{webhook_id}/reveal', { password })).secret],
    ['invitation link', tokenOf(invited.url)],
    ...(await makePersonSecrets(target, ask)),
  ];
}
