// Trial callbacks test the callback security of a package, or replay a callback on its sandbox.

import { answer } from '@counterfoil/kit/http/answers';
import type { App } from '@counterfoil/kit/http/app';
import { Type } from 'typebox';
import { type AccessPolicy, getHome, packageRoute } from '../access-policy.ts';
import { fail } from '../errors.ts';
import { findCallbackAccess } from '../packages/credentials/callback-access.ts';
import { recordPackageEvent, targetOf } from '../packages/lock-package.ts';
import { PlayerId } from '../players/player.ts';
import { replayCallback, type TrialDeps } from './replay-callback.ts';
import { callbackPath, faults, type SentCallback, sendCallback } from './send-callback.ts';

const Answered = Type.Object({
  status: Type.Integer(),
  body: Type.Unknown(),
  sealed: Type.Union([Type.Boolean(), Type.Null()], {
    description:
      "Whether the answer verifies with the package's key; null if it is neither signed nor encrypted.",
  }),
});

export function registerCallbackTrials(app: App, policy: AccessPolicy, deps: Omit<TrialDeps, 'app'>): void {
  if (!policy.isPanel) return;
  registerTest(app, policy, { ...deps, app });
  registerReplay(app, policy, { ...deps, app });
}

function registerTest(app: App, policy: AccessPolicy, deps: TrialDeps): void {
  const data = Type.Object({
    security: Type.Enum(['headers', 'signed', 'encrypted']),
    sent: Type.Object({
      method: Type.String(),
      path: Type.String(),
      headers: Type.Record(Type.String(), Type.String()),
      body: Type.String(),
    }),
    answer: Answered,
  });
  const shown = {
    role: 'owner',
    summary: 'Send a test callback',
    description:
      'Sends a `balance` callback, which moves no money, as the provider would. A callback with a ' +
      '`fault` must be refused. Faults of the signature have no effect if the package signs no callbacks.',
    data,
  } as const;
  const body = Type.Object({ player_id: PlayerId, fault: Type.Optional(Type.Enum([...faults])) });
  app.post(`${policy.packagePath}/callback-test`, packageRoute(policy, shown, { body }), async (request) => {
    const { packageId } = getHome(request);
    const { player_id, fault = 'none' } = request.body;
    const now = deps.now();
    const access = await findCallbackAccess(deps.db, deps.masterKey, { packageId, at: now });
    if (!access) throw fail('key_pair_not_live');
    const balance = { action: 'balance', player_id };
    const done = await sendCallback(app, { access, body: balance, fault, address: request.ip, now });
    return answer(request, {
      security: access.security,
      sent: { method: 'POST', path: callbackPath, ...hideSecret(done.sent) },
      answer: done.answer,
    });
  });
}

/** Shows only the first four characters of the secret. */
const hideSecret = ({ headers, body }: SentCallback): SentCallback => ({
  headers: { ...headers, 'x-api-secret': `${headers['x-api-secret']?.slice(0, 4)}…` },
  body,
});

function registerReplay(app: App, policy: AccessPolicy, deps: TrialDeps): void {
  const data = Type.Object({
    sandbox_id: Type.Integer(),
    sent: Type.Record(Type.String(), Type.Unknown()),
    original: Type.String({ description: 'The result of the original.' }),
    answer: Answered,
  });
  const shown = {
    role: 'member',
    summary: 'Replay a callback in the sandbox',
    description:
      'The callback is rebuilt from the journal. A player who does not exist in the sandbox starts ' +
      'with the balance that the real player had before it.',
    data,
  } as const;
  const body = Type.Object({ sequence: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }) });
  const route = packageRoute(policy, shown, { body });
  app.post(`${policy.packagePath}/callbacks/replay`, route, async (request) => {
    const { packageId } = getHome(request);
    const { sequence } = request.body;
    const wanted = { packageId, sequence: BigInt(sequence), address: request.ip };
    const done = await replayCallback(deps, wanted);
    const target = targetOf(deps, request);
    const subject = { kind: 'movement', id: String(sequence) };
    await deps.db.transaction((tx) =>
      recordPackageEvent(tx, target, { action: 'callback_replayed', subject }),
    );
    return answer(request, {
      sandbox_id: done.sandboxId,
      sent: done.body,
      original: done.original,
      answer: done.answer,
    });
  });
}
