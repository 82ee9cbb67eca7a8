// Cases about requests: signatures and malformed bodies.
import type { CaseGroup, CertificationCase } from '../certification-case.ts';
import type { Message, Signing } from '../speaker.ts';
import type { Steps } from '../steps.ts';
import { placeBet } from './money.ts';

const refuseSigned = async (steps: Steps, what: string, signing: Signing) => {
  await steps.refuse(what, placeBet(steps).message, 'signature', { signing });
};

/**
 * Expects that the message gets the same answer as a balance call with a wrong signature. The description
 * must be the same too, because Slotegrator has one code for nearly all reasons.
 */
async function refuseForged(steps: Steps, what: string, message: Message): Promise<void> {
  const forged = { signing: 'wrong' } as const;
  const name = 'a balance call with a wrong signature';
  const { detail } = await steps.refuse(name, steps.speaker.balance(steps.caller), 'signature', forged);
  const answer = await steps.refuse(what, message, 'signature', forged);
  const seen = `it was refused with “${answer.detail}”`;
  steps.expect(answer.detail === detail, what, `be refused with “${detail}”`, seen);
}

/** A text that is not valid JSON, because its end is missing. */
const brokenText = '{"account_id": "a", ';

const signatureCases: readonly CertificationCase[] = [
  {
    id: 'wrong-signature',
    kind: 'signatures',
    rule: 'A bet that is signed with other credentials is refused',
    fault: 'The wallet accepts wrong signatures',
    run: (steps) => refuseSigned(steps, 'a bet with a wrong signature', 'wrong'),
  },
  {
    id: 'missing-signature',
    kind: 'signatures',
    rule: 'A bet without a signature is refused',
    fault: 'The wallet accepts requests without a signature',
    run: (steps) => refuseSigned(steps, 'a bet without a signature', 'missing'),
  },
  {
    id: 'signature-before-parsing',
    kind: 'signatures',
    rule: 'An invalid body with a wrong signature gets the error for signatures',
    fault: 'The wallet checks the signature after it parses the body',
    run: (steps) =>
      refuseForged(
        steps,
        'an invalid body with a wrong signature',
        steps.speaker.malformed(steps.caller, brokenText),
      ),
  },
  {
    id: 'signature-before-player',
    kind: 'signatures',
    rule: 'A wrong signature does not reveal whether a player exists',
    fault: 'The wallet looks for the player before it checks the signature',
    run: async (steps) => {
      const { speaker, caller, newId } = steps;
      const message = speaker.balance({ ...caller, playerId: `nobody-${newId()}` });
      await refuseForged(steps, 'a balance call for an unknown player with a wrong signature', message);
    },
  },
];

const changedBody: CertificationCase = {
  id: 'changed-body',
  kind: 'signatures',
  rule: 'A body that was changed after it was signed is refused',
  fault: 'The signature does not protect the body',
  run: async (steps) => {
    const [signed, other] = [placeBet(steps), placeBet(steps, steps.unit * 2n)];
    const change = <R extends { body: Buffer }>(request: R): R => ({ ...request, body: other.message.body });
    await steps.refuse('a bet with the signature of another bet', signed.message, 'signature', { change });
  },
};

const nonceCases: readonly CertificationCase[] = [
  {
    id: 'stale-signature',
    kind: 'signatures',
    rule: 'A signature that is ten minutes old is refused',
    fault: 'The wallet accepts old signatures',
    run: (steps) => refuseSigned(steps, 'a bet with a timestamp of ten minutes ago', 'stale'),
  },
  {
    id: 'used-nonce',
    kind: 'signatures',
    rule: 'A request with a nonce that was used before is refused',
    fault: 'The wallet accepts a nonce twice',
    run: async (steps) => {
      const { speaker, caller, refuse } = steps;
      const message = speaker.balance(caller);
      const signed = speaker.sign(message);
      await steps.send(message, { change: () => signed });
      await refuse('a copy of a request', message, 'signature', { change: () => signed });
    },
  },
];

const maxBodyBytes = 64 * 1024;

const bodyCases: readonly CertificationCase[] = [
  {
    id: 'invalid-json',
    kind: 'bodies',
    rule: 'A signed body that is not JSON is refused as invalid',
    fault: 'The wallet does not refuse an invalid body correctly',
    run: async ({ speaker, caller, refuse }) => {
      for (const text of [brokenText, '[]', '"text"', 'null']) {
        await refuse(`a signed body ${text}`, speaker.malformed(caller, text), 'invalid');
      }
    },
  },
  {
    id: 'missing-id',
    kind: 'bodies',
    rule: 'A bet without an id is refused as invalid',
    fault: 'The wallet accepts a bet without an id',
    run: async ({ speaker, caller, newId, unit, refuse }) => {
      const message = speaker.bet(caller, { id: '', round: newId(), amount: unit });
      await refuse('a bet with an empty id', message, 'invalid');
    },
  },
  {
    id: 'large-body',
    kind: 'bodies',
    rule: 'A body over 64 KiB is refused',
    fault: 'The wallet accepts bodies over 64 KiB',
    run: async ({ speaker, caller, newId, unit, refuse }) => {
      const more = { padding: 'x'.repeat(maxBodyBytes) };
      const message = speaker.bet(caller, { id: newId(), round: newId(), amount: unit, more });
      await refuse('a bet with a body over 64 KiB', message, 'invalid');
    },
  },
  {
    id: 'unknown-field',
    kind: 'bodies',
    rule: 'A field that the protocol does not know is ignored',
    fault: 'The wallet does not ignore unknown fields',
    run: async (steps) => {
      const { speaker, caller, newId, unit } = steps;
      const [id, round] = [newId(), newId()];
      const message = speaker.bet(caller, { id, round, amount: unit, more: { certification: 'ignore' } });
      await steps.accept('a bet with an unknown field', message, -unit);
      await steps.accept('a win', speaker.win(caller, { id: newId(), round, bet: id, amount: unit }), unit);
    },
  },
];

export const requestGroups: readonly CaseGroup[] = [
  { cases: signatureCases },
  { dialects: ['softswiss', 'hub88', 'slotegrator'], cases: [changedBody] },
  { dialects: ['slotegrator'], cases: nonceCases },
  { cases: bodyCases },
];
