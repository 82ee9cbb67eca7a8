// A package's credentials: list, rotate and revoke pairs, rotate the AES key, show what is kept again.

import { Password } from '@counterfoil/identity/panel-route';
import { requirePassword } from '@counterfoil/identity/passwords/check-password';
import { answer } from '@counterfoil/kit/http/answers';
import type { App } from '@counterfoil/kit/http/app';
import { parseId } from '@counterfoil/kit/http/parameters';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { type AccessPolicy, getPrincipal, managed, PackageParams } from '../../access-policy.ts';
import { type ManagementDeps, targetOf } from '../package-target.ts';
import {
  IssuedPairAnswer,
  PairAnswer,
  PairPurpose,
  presentIssuedPair,
  presentPair,
} from './key-pair.ts';
import { listKeyPairs } from './list-key-pairs.ts';
import { overlapNames, usualOverlap } from './overlap.ts';
import { revealAesKey } from './reveal-aes-key.ts';
import { revealCallbackSecret } from './reveal-callback-secret.ts';
import { revokeKeyPair } from './revoke-key-pair.ts';
import { rotateAesKey } from './rotate-aes-key.ts';
import { rotateKeyPair } from './rotate-key-pair.ts';

const params = Type.Object(PackageParams);
const pairParams = Type.Object({ ...PackageParams, pair_id: Type.String() });
const Pairs = Type.Object({ key_pairs: Type.Array(PairAnswer) });
const time = Type.String({ format: 'date-time' });

const OverlapField = Type.Optional(
  Type.Enum([...overlapNames], { description: 'How long the old one goes on; 24h unless told.' }),
);

export function registerCredentialManagement(
  app: App,
  policy: AccessPolicy,
  deps: ManagementDeps,
): void {
  const schema = { ...managed(policy, { summary: 'List key pairs', data: Pairs }), params };
  const onRequest = policy.authorizeFor({ role: 'member' });
  app.get(`${policy.packagePath}/key-pairs`, { schema, onRequest }, async (request) =>
    answer(request, await presentPairs(deps, targetOf(deps, request).packageId)),
  );
  registerPairRotation(app, policy, deps);
  registerAesRotation(app, policy, deps);
  if (policy.isPanel) registerReveal(app, policy, deps);
}

async function presentPairs(deps: ManagementDeps, packageId: number) {
  const pairs = await listKeyPairs(deps.db, packageId);
  const now = deps.now();
  return { key_pairs: pairs.map((pair) => presentPair(pair, now)) };
}

function registerPairRotation(app: App, policy: AccessPolicy, deps: ManagementDeps): void {
  const onRequest = policy.authorizeFor({ role: 'owner' });
  const Rotated = Type.Object({ purpose: PairPurpose, pair: IssuedPairAnswer, old_until: time });
  const rotateSchema = {
    ...managed(policy, { summary: 'Replace the key pair of a purpose', data: Rotated }),
    params,
    body: Type.Object({ purpose: PairPurpose, overlap: OverlapField }),
  };
  const rotatePath = `${policy.packagePath}/key-pairs/rotate`;
  app.post(rotatePath, { schema: rotateSchema, onRequest }, async (request) => {
    const { purpose, overlap = usualOverlap } = request.body;
    const rotation = { ...targetOf(deps, request), purpose, overlap };
    const made = await deps.db.transaction((tx) => rotateKeyPair(tx, deps.masterKey, rotation));
    const pair = presentIssuedPair(made.pair);
    return answer(request, { purpose, pair, old_until: made.oldUntil.toISOString() });
  });

  const revokeSchema = {
    ...managed(policy, { summary: 'Revoke a key pair at once', data: Pairs }),
    params: pairParams,
  };
  const revokePath = `${policy.packagePath}/key-pairs/:pair_id/revoke`;
  app.post(revokePath, { schema: revokeSchema, onRequest }, async (request) => {
    const target = { ...targetOf(deps, request), id: parseId(request.params.pair_id) };
    await deps.db.transaction((tx) => revokeKeyPair(tx, target));
    return answer(request, await presentPairs(deps, target.packageId));
  });
}

function registerAesRotation(app: App, policy: AccessPolicy, deps: ManagementDeps): void {
  const onRequest = policy.authorizeFor({ role: 'owner' });
  const data = Type.Object({ aes_key: Type.String(), old_until: time });
  const schema = {
    ...managed(policy, { summary: 'Replace the AES key', data }),
    params,
    body: Type.Object({ overlap: OverlapField }),
  };
  app.post(`${policy.packagePath}/aes-key/rotate`, { schema, onRequest }, async (request) => {
    const { overlap = usualOverlap } = request.body;
    const rotation = { ...targetOf(deps, request), overlap };
    const made = await deps.db.transaction((tx) => rotateAesKey(tx, deps.masterKey, rotation));
    return answer(request, { aes_key: made.aesKey, old_until: made.oldUntil.toISOString() });
  });
}

const asksPassword = 'Asks for the password again; ten wrong ones in a quarter of an hour lock it.';

/** Only for people: a program has no password that it could be asked for. */
function registerReveal(app: App, policy: AccessPolicy, deps: ManagementDeps): void {
  const onRequest = policy.authorizeFor({ role: 'owner' });
  const body = Type.Object({ password: Password });
  const description = asksPassword;
  const summary = "Show a callback pair's secret again";
  const secretSchema = {
    ...managed(policy, { summary, description, data: IssuedPairAnswer }),
    params: pairParams,
    body,
  };
  const secretPath = `${policy.packagePath}/key-pairs/:pair_id/reveal`;
  app.post(secretPath, { schema: secretSchema, onRequest }, async (request) => {
    await askPassword(deps, request, request.body.password);
    const target = { ...targetOf(deps, request), id: parseId(request.params.pair_id) };
    const pair = await deps.db.transaction((tx) =>
      revealCallbackSecret(tx, deps.masterKey, target),
    );
    return answer(request, presentIssuedPair(pair));
  });

  const data = Type.Object({
    aes_key: Type.String(),
    previous: Type.Union([Type.Object({ aes_key: Type.String(), until: time }), Type.Null()]),
  });
  const aesSchema = {
    ...managed(policy, { summary: 'Show the AES key again', description, data }),
    params,
    body,
  };
  app.post(
    `${policy.packagePath}/aes-key/reveal`,
    { schema: aesSchema, onRequest },
    async (request) => {
      await askPassword(deps, request, request.body.password);
      const target = targetOf(deps, request);
      const keys = await deps.db.transaction((tx) => revealAesKey(tx, deps.masterKey, target));
      const { current, previous } = keys;
      return answer(request, {
        aes_key: current,
        previous: previous ? { aes_key: previous.key, until: previous.until.toISOString() } : null,
      });
    },
  );
}

async function askPassword(
  deps: ManagementDeps,
  request: FastifyRequest,
  password: string,
): Promise<void> {
  const { session } = getPrincipal(request);
  if (!session) throw new Error('only a person can be asked for a password');
  await requirePassword(deps.signIn, { personId: session.personId, password });
}
