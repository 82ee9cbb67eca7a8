// Credentials of a package: list, rotate and revoke key pairs, rotate the AES key, show secrets again.

import { Password } from '@counterfoil/identity/panel-route';
import { answer } from '@counterfoil/kit/http/answers';
import type { App } from '@counterfoil/kit/http/app';
import { parseId } from '@counterfoil/kit/http/parameters';
import { Type } from 'typebox';
import { type AccessPolicy, getHome, PackageParams, packageRoute } from '../../access-policy.ts';
import { askPassword, type ManagementDeps, targetOf } from '../lock-package.ts';
import { revealAesKey, rotateAesKey } from './aes-key.ts';
import { revealCallbackSecret, revokeKeyPair, rotateKeyPair } from './change-key-pairs.ts';
import {
  defaultOverlap,
  IssuedPairAnswer,
  overlapNames,
  PairAnswer,
  PairPurpose,
  presentIssuedPair,
  presentPair,
} from './key-pair.ts';
import { listKeyPairs } from './queries.ts';

const PairParams = Type.Object({ ...PackageParams, pair_id: Type.String() });
const Pairs = Type.Object({ key_pairs: Type.Array(PairAnswer) });
const time = Type.String({ format: 'date-time' });

const OverlapField = Type.Optional(
  Type.Enum(overlapNames, { description: 'How long the replaced credential stays valid; 24h by default.' }),
);

export function registerCredentialManagement(app: App, policy: AccessPolicy, deps: ManagementDeps): void {
  const route = packageRoute(policy, { role: 'member', summary: 'List key pairs', data: Pairs });
  app.get(`${policy.packagePath}/key-pairs`, route, async (request) =>
    answer(request, await presentPairs(deps, getHome(request).packageId)),
  );
  registerPairRotation(app, policy, deps);
  registerRevocation(app, policy, deps);
  registerAesRotation(app, policy, deps);
  if (!policy.isPanel) return;
  registerSecretReveal(app, policy, deps);
  registerAesReveal(app, policy, deps);
}

async function presentPairs(deps: ManagementDeps, packageId: number) {
  const pairs = await listKeyPairs(deps.db, packageId);
  const now = deps.now();
  return { key_pairs: pairs.map((pair) => presentPair(pair, now)) };
}

function registerPairRotation(app: App, policy: AccessPolicy, deps: ManagementDeps): void {
  const data = Type.Object({ purpose: PairPurpose, pair: IssuedPairAnswer, old_until: time });
  const body = Type.Object({ purpose: PairPurpose, overlap: OverlapField });
  const summary = 'Replace the key pair of a purpose';
  const route = packageRoute(policy, { role: 'owner', summary, data }, { body });
  app.post(`${policy.packagePath}/key-pairs/rotate`, route, async (request) => {
    const { purpose, overlap = defaultOverlap } = request.body;
    const rotation = { ...targetOf(deps, request), purpose, overlap };
    const made = await deps.db.transaction((tx) => rotateKeyPair(tx, deps.masterKey, rotation));
    const pair = presentIssuedPair(made.pair);
    return answer(request, { purpose, pair, old_until: made.oldUntil.toISOString() });
  });
}

function registerRevocation(app: App, policy: AccessPolicy, deps: ManagementDeps): void {
  const summary = 'Revoke a key pair at once';
  const { schema, onRequest } = packageRoute(policy, { role: 'owner', summary, data: Pairs });
  const route = { schema: { ...schema, params: PairParams }, onRequest };
  app.post(`${policy.packagePath}/key-pairs/:pair_id/revoke`, route, async (request) => {
    const target = { ...targetOf(deps, request), id: parseId(request.params.pair_id) };
    await deps.db.transaction((tx) => revokeKeyPair(tx, target));
    return answer(request, await presentPairs(deps, target.packageId));
  });
}

function registerAesRotation(app: App, policy: AccessPolicy, deps: ManagementDeps): void {
  const data = Type.Object({ aes_key: Type.String(), old_until: time });
  const body = Type.Object({ overlap: OverlapField });
  const summary = 'Replace the AES key';
  const route = packageRoute(policy, { role: 'owner', summary, data }, { body });
  app.post(`${policy.packagePath}/aes-key/rotate`, route, async (request) => {
    const { overlap = defaultOverlap } = request.body;
    const rotation = { ...targetOf(deps, request), overlap };
    const made = await deps.db.transaction((tx) => rotateAesKey(tx, deps.masterKey, rotation));
    return answer(request, { aes_key: made.aesKey, old_until: made.oldUntil.toISOString() });
  });
}

/** Secrets are shown again only to people, because a program has no password. */
const revealing = {
  role: 'owner',
  description: 'Requires the password again. Ten wrong passwords within 15 minutes lock the operation.',
} as const;

const WithPassword = Type.Object({ password: Password });

function registerSecretReveal(app: App, policy: AccessPolicy, deps: ManagementDeps): void {
  const summary = "Show a callback pair's secret again";
  const shown = { ...revealing, summary, data: IssuedPairAnswer };
  const { schema, onRequest } = packageRoute(policy, shown, { body: WithPassword });
  const route = { schema: { ...schema, params: PairParams }, onRequest };
  app.post(`${policy.packagePath}/key-pairs/:pair_id/reveal`, route, async (request) => {
    await askPassword(deps, request, request.body.password);
    const target = { ...targetOf(deps, request), id: parseId(request.params.pair_id) };
    const pair = await deps.db.transaction((tx) => revealCallbackSecret(tx, deps.masterKey, target));
    return answer(request, presentIssuedPair(pair));
  });
}

function registerAesReveal(app: App, policy: AccessPolicy, deps: ManagementDeps): void {
  const data = Type.Object({
    aes_key: Type.String(),
    previous: Type.Union([Type.Object({ aes_key: Type.String(), until: time }), Type.Null()]),
  });
  const shown = { ...revealing, summary: 'Show the AES key again', data };
  const route = packageRoute(policy, shown, { body: WithPassword });
  app.post(`${policy.packagePath}/aes-key/reveal`, route, async (request) => {
    await askPassword(deps, request, request.body.password);
    const target = targetOf(deps, request);
    const keys = await deps.db.transaction((tx) => revealAesKey(tx, deps.masterKey, target));
    const { current, previous } = keys;
    return answer(request, {
      aes_key: current,
      previous: previous ? { aes_key: previous.key, until: previous.until.toISOString() } : null,
    });
  });
}
