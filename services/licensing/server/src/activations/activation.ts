// An activation is a purchase in use on one host or machine. This file also defines how the API presents it.
import { createKeyedHash } from '@counterfoil/kit/crypto/keyed-hash';
import type { MasterKey } from '@counterfoil/kit/crypto/secrets';
import { presentTime } from '@counterfoil/kit/http/answers';
import { isPrintable } from '@counterfoil/kit/http/text';
import { Type } from 'typebox';
import type { PurchaseState } from '../purchases/purchase.ts';
import { isFreeHost, normaliseHost } from '../wire/host.ts';
import { NamedObject } from '../wire/input.ts';
import { refuseField } from '../wire/refusals.ts';

export const targetKinds = ['domain', 'machine'] as const;
export const activationStates = ['active', 'released', 'ended'] as const;

/** The host or machine on which the software runs. */
export interface Target {
  readonly kind: (typeof targetKinds)[number];
  readonly name: string;
  /** Whether the host or machine occupies a seat of the licence. */
  readonly counts: boolean;
}

export interface Activation {
  readonly id: bigint;
  readonly purchaseId: bigint;
  readonly itemId: bigint;
  /** The state that buyers get: a blocked purchase has the state `cancelled`. */
  readonly purchaseState: PurchaseState;
  readonly kind: Target['kind'];
  /** The name of the host or machine; undefined once the buyer was erased. */
  readonly target: string | undefined;
  readonly counts: boolean;
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
  readonly releasedAt: Date | undefined;
}

export const maxMachineIdLength = 128;

/**
 * Reads the host or machine of a request. Throws unless exactly one of `domain` and `machine_id` is given.
 */
export function readTarget(given: { domain?: string; machine_id?: string }): Target {
  const { domain, machine_id: machineId } = given;
  if (domain === undefined && machineId === undefined)
    throw refuseField('domain', 'is required unless a machine_id is given.');
  if (domain !== undefined && machineId !== undefined)
    throw refuseField('machine_id', 'must not be given together with a domain.');
  if (domain !== undefined) {
    const host = normaliseHost(domain);
    if (host === undefined) throw refuseField('domain', 'must be a host name or an address.');
    return { kind: 'domain', name: host, counts: !isFreeHost(host) };
  }
  const name = machineId?.trim() ?? '';
  if (name === '' || [...name].length > maxMachineIdLength || !isPrintable(name))
    throw refuseField('machine_id', `must have 1 to ${maxMachineIdLength} printable characters.`);
  return { kind: 'machine', name, counts: true };
}

const hashers = new WeakMap<MasterKey, (text: string) => string>();

/** The hash depends on the purchase, so that two purchases on one host cannot be linked. */
export function hashTarget(
  masterKey: MasterKey,
  { purchaseId, target }: { purchaseId: bigint; target: Target },
): Buffer {
  const hasher = hashers.get(masterKey) ?? createKeyedHash(masterKey.derive('activation-target'));
  hashers.set(masterKey, hasher);
  return Buffer.from(hasher(`${purchaseId}:${target.kind}:${target.name}`), 'hex');
}

/**
 * Returns the state of an activation. A refunded, cancelled, disputed or blocked purchase has no active
 * activations.
 */
export function getActivationState(
  activation: Pick<Activation, 'purchaseState' | 'releasedAt'>,
): (typeof activationStates)[number] {
  if (activation.purchaseState !== 'active') return 'ended';
  return activation.releasedAt ? 'released' : 'active';
}

export const ActivationAnswer = NamedObject('Activation', {
  id: Type.Integer({ description: 'Stays the same when the same host is activated again.' }),
  item_id: Type.Integer({ description: 'The item of the purchase.' }),
  kind: Type.Enum([...targetKinds], { description: 'Whether `target` is a host or a machine.' }),
  target: Type.String({
    description: 'The normalised host, or the machine id; "" once the buyer was erased.',
    examples: ['shop.example'],
  }),
  counts: Type.Boolean({ description: 'False for local, private and staging hosts, which occupy no seat.' }),
  state: Type.Enum([...activationStates], {
    description: '`ended` while the purchase is refunded, cancelled, disputed or blocked.',
  }),
  created_at: Type.String({ description: 'Time of the first activation of this host or machine.' }),
  last_seen_at: Type.String({ description: 'Time of the last call from this host, to the hour.' }),
  released_at: Type.String({ description: '"" if it was not released.' }),
});

export const presentActivation = (activation: Activation) => ({
  id: Number(activation.id),
  item_id: Number(activation.itemId),
  kind: activation.kind,
  target: activation.target ?? '',
  counts: activation.counts,
  state: getActivationState(activation),
  created_at: presentTime(activation.createdAt),
  last_seen_at: presentTime(activation.lastSeenAt),
  released_at: activation.releasedAt ? presentTime(activation.releasedAt) : '',
});

export const ListedActivation = NamedObject('ListedActivation', {
  ...ActivationAnswer.properties,
  purchase_id: Type.Integer({ description: 'The purchase that is activated.' }),
});

export const presentListedActivation = (activation: Activation) => ({
  ...presentActivation(activation),
  purchase_id: Number(activation.purchaseId),
});
