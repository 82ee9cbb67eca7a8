// Authenticates callers: the three headers, then the state of the package, then Origin and IP address.
import { BlockList, isIPv6 } from 'node:net';
import { equalsInConstantTime, hashSecret, type MasterKey } from '@counterfoil/kit/crypto/secrets';
import { Answer } from '@counterfoil/kit/http/answers';
import type { ServiceError } from '@counterfoil/kit/http/errors';
import { networkOf } from '@counterfoil/kit/http/network';
import { hidden } from '@counterfoil/kit/http/openapi/schema-marks';
import { type Throttle, throttleHeaders } from '@counterfoil/kit/http/throttle';
import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { type TSchema, Type } from 'typebox';
import { fail } from '../../errors.ts';
import { errorAnswers } from '../../wire/error-answers.ts';
import type { PairUseSink } from '../credentials/record-pair-uses.ts';
import { type CustomerPackage, isLive, isOriginAllowed, type KeyPair } from '../customer-package.ts';
import type { PackageFinder } from './find-package.ts';

declare module 'fastify' {
  interface FastifyRequest {
    customerPackage: CustomerPackage | undefined;
  }
  interface FastifyContextConfig {
    /**
     * Whether all answers of the operation, including errors, contain `package_balance` and `credit_alert`.
     */
    carriesCredit?: boolean;
  }
}

const header = () => Type.Optional(hidden(Type.String()));

/**
 * The OpenAPI document lists the first three headers as security schemes. The document omits `Origin`,
 * because tools that import the document send every listed header, and an unknown origin is refused.
 */
export const AuthHeaders = Type.Object({
  'x-uid': header(),
  'x-api-key': header(),
  'x-api-secret': header(),
  origin: header(),
});

export const packageSecurity = [{ uid: [], apiKey: [], apiSecret: [] }];

/** The schema parts of every operation that customers' platforms call. */
export const callerOperation = <Success extends TSchema>(tag: string, summary: string, success: Success) => ({
  tags: [tag],
  summary,
  security: packageSecurity,
  headers: AuthHeaders,
  response: { 200: success, ...errorAnswers },
});

/** The schema parts of a read operation whose answer does not contain the package's credit. */
export const callerRead = <Data extends TSchema>(route: {
  tag: string;
  summary: string;
  description?: string;
  data: Data;
}) => ({
  ...callerOperation(route.tag, route.summary, Answer(route.data)),
  ...(route.description !== undefined && { description: route.description }),
});

export const securitySchemes = {
  uid: {
    type: 'apiKey',
    in: 'header',
    name: 'X-UID',
    description:
      'The package identifier. A request may carry `Origin` as well; its host must be a ' +
      'whitelisted domain of the package.',
  },
  apiKey: { type: 'apiKey', in: 'header', name: 'X-API-KEY', description: 'The key of a pair.' },
  apiSecret: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-SECRET',
    description: 'The secret of the same pair.',
  },
};

interface Admission {
  /**
   * Whether the operation is served for a suspended package. Reads are served; operations that give out money
   * are refused.
   */
  readonly whenSuspended: 'served' | 'refused';
}

/** Makes the hook that authenticates a request before its body is read. */
export type Authenticate = (admission: Admission) => onRequestAsyncHookHandler;

export interface IdentifyDeps {
  readonly finder: PackageFinder;
  readonly masterKey: MasterKey;
  readonly throttle: Throttle;
  readonly uses: PairUseSink;
  readonly now: () => Date;
}

export function createAuthenticate(deps: IdentifyDeps): Authenticate {
  return (admission) => async (request) => {
    const { customerPackage, pair } = await identify(deps, request);
    request.customerPackage = customerPackage;
    refuseByState(customerPackage, admission);
    if (pair.purpose !== 'caller') throw fail('insufficient_scope');
    refuseByOrigin(customerPackage, request);
    refuseByAddress(customerPackage.callerAddresses, request.ip);
  };
}

/** The package of an authenticated request. */
export function getPackage(request: FastifyRequest): CustomerPackage {
  if (!request.customerPackage) throw new Error('the route is not authenticated');
  return request.customerPackage;
}

/** The package and the key pair that the three headers name. */
export async function identify(
  deps: IdentifyDeps,
  request: FastifyRequest,
): Promise<{ customerPackage: CustomerPackage; pair: KeyPair }> {
  const uid = request.headers['x-uid'];
  const apiKey = request.headers['x-api-key'];
  const apiSecret = request.headers['x-api-secret'];
  if (!isText(uid) || !isText(apiKey) || !isText(apiSecret)) {
    throw refuseAuthentication(deps.throttle, request, fail('auth_missing'));
  }
  // A wrong UID, a wrong key and a wrong secret cost the same work and get the same answer. So a caller
  // cannot find out which of the three was wrong.
  const secretHash = hashSecret(deps.masterKey, apiSecret);
  let customerPackage = await deps.finder.find(uid);
  let pair = customerPackage?.keyPairs.find((each) => each.apiKey === apiKey);
  if (customerPackage && !pair && keyForm.test(apiKey)) {
    customerPackage = await deps.finder.findAgain(uid);
    pair = customerPackage?.keyPairs.find((each) => each.apiKey === apiKey);
  }
  const matches = equalsInConstantTime(pair?.secretHash ?? Buffer.alloc(32), secretHash);
  const now = deps.now();
  if (!customerPackage || !pair || !matches || !isLive(pair, now)) {
    throw refuseAuthentication(deps.throttle, request, fail('auth_invalid'));
  }
  deps.uses.record(customerPackage.id, pair.id, now);
  return { customerPackage, pair };
}

const keyForm = /^gpk_(?:test_)?[\w-]{43}$/;

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

export function refuseByState({ state }: Pick<CustomerPackage, 'state'>, { whenSuspended }: Admission): void {
  if (state === 'pending') throw fail('package_not_approved');
  if (state === 'suspended' && whenSuspended === 'refused') throw fail('package_suspended');
}

function refuseByOrigin(customerPackage: CustomerPackage, request: FastifyRequest): void {
  const { origin } = request.headers;
  if (origin === undefined || isOriginAllowed(origin, customerPackage.domains)) return;
  throw fail('origin_not_allowed');
}

/** Throws if the IP address is not on the list. An empty list allows every IP address. */
export function refuseByAddress(allowed: readonly string[], address: string): void {
  if (!isAddressAllowed(allowed, address)) throw fail('address_not_allowed');
}

/** An empty list allows every address. */
export function isAddressAllowed(allowed: readonly string[], address: string): boolean {
  if (allowed.length === 0) return true;
  const list = new BlockList();
  for (const entry of allowed) {
    const [network = '', bits] = entry.split('/');
    const family = isIPv6(network) ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(network, family);
    else list.addSubnet(network, Number(bits), family);
  }
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
  return list.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4');
}

/**
 * Counts a failed authentication. After too many failures, returns `rate_limited` instead of `refusal`. Valid
 * credentials are never limited.
 */
export function refuseAuthentication(
  throttle: Throttle,
  request: FastifyRequest,
  refusal: ServiceError,
): ServiceError {
  const counted = throttle.fail(networkOf(request.ip));
  if (!counted.limited) return refusal;
  const headers = throttleHeaders('failed-authentications', throttle, counted);
  return fail('rate_limited', { headers });
}
