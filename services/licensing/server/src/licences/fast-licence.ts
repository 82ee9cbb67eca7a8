// The fast path of licences: plain JSON bodies whose key and seller are cached.
import { isTextUpTo, readPlainObject } from '@counterfoil/kit/http/read-json';
import type { FastReply, FastRoute } from '@counterfoil/kit/http/transport/fast-path';
import { maxMachineIdLength } from '../activations/activation.ts';
import { type FastCallerDeps, findFastCaller, isPlainHead } from '../authentication/fast-caller.ts';
import { maxCodeLength } from '../purchases/code.ts';
import { reportFastRequest } from '../usage/report-fast-request.ts';
import {
  answerLicence,
  type LicenceDeps,
  type LicenceFields,
  type LicenceRequest,
} from './answer-licence.ts';

const path = '/api/v1/licences';
const maxDomainLength = 2048;

export const fastLicence = (deps: LicenceDeps & FastCallerDeps): FastRoute => ({
  path,
  authorize: ({ headers }) => {
    const secret = headers['x-api-key'];
    if (typeof secret !== 'string' || !isPlainHead(headers)) return undefined;
    return (body, reply) => handle(deps, secret, body, reply);
  },
});

function handle(deps: LicenceDeps & FastCallerDeps, secret: string, body: Buffer, reply: FastReply): boolean {
  const given = readFields(body);
  if (!given) return false;
  const apiKey = findFastCaller(deps, secret, 'activations:write');
  if (!apiKey) return false;
  const seller = deps.sellers.peek(apiKey.workspaceId);
  if (!seller?.isSeller) return false;
  const { requestId: id, address: ip } = reply;
  const request: LicenceRequest = { id, ip, apiKey, seller, subject: null };
  const report = (status: number, code: string | undefined) =>
    reportFastRequest(deps, { route: path, apiKey, reply, subject: request.subject, status, code });
  answerLicence(deps, request, given).then(
    (text) => {
      reply.send(text);
      report(200, undefined);
    },
    (error: unknown) => {
      const { status, code } = reply.fail(error);
      report(status, code);
    },
  );
  return true;
}

/** Whether a field is absent, or a text that the schema of the route certainly accepts. */
const isAbsentOrText = (value: unknown, max: number): value is string | undefined =>
  value === undefined || isTextUpTo(value, max);

const isId = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 1;

/** Returns undefined for a body that the router must parse or refuse. */
function readFields(body: Buffer): LicenceFields | undefined {
  const { purchase_code, domain, machine_id, item_id } = readPlainObject(body) ?? {};
  const isPlain =
    (item_id === undefined || isId(item_id)) &&
    isTextUpTo(purchase_code, maxCodeLength) &&
    isAbsentOrText(domain, maxDomainLength) &&
    isAbsentOrText(machine_id, maxMachineIdLength);
  if (!isPlain) return undefined;
  return {
    purchase_code,
    ...(item_id !== undefined && { item_id }),
    ...(domain !== undefined && { domain }),
    ...(machine_id !== undefined && { machine_id }),
  };
}
