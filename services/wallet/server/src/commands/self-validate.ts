// wallet providers self-validate: lets Slotegrator test a connection, and prints the findings.
import { CommandRefused, PlainError, type RefusalReason } from '@counterfoil/kit/process/plain-error';
import { type AddressGuard, createAddressGuard } from '@counterfoil/webhooks/dispatcher/address-guard';
import type { Command } from 'commander';
import { findPackageNumber, type OpenConnection } from '../connections/connection.ts';
import { findConnection } from '../connections/queries.ts';
import { requestSelfValidation } from '../connections/sources/request-self-validation.ts';
import { fail } from '../errors.ts';
import { type FailureReason, UpstreamFailure } from '../upstream/upstream.ts';
import { type CommandTools, type OfPackage, runOnPackage } from './command-tools.ts';

export function addSelfValidate(command: Command, tools: CommandTools): void {
  command.action((id: string, given: OfPackage) => selfValidate(tools, id, given));
}

const selfValidate = (tools: CommandTools, id: string, given: OfPackage): Promise<void> =>
  runOnPackage(tools, given.package, async ({ config, db, target: { packageId } }) => {
    const isOwn = findPackageNumber(id) === packageId;
    const found = isOwn ? await findConnection(db, config.masterKey, { packageId, id }) : undefined;
    if (!found) throw fail('connection_not_found');
    const guard = createAddressGuard(config.webhooks);
    const deps = { now: () => new Date(), lookup: guard.lookup };
    const { isSuccessful, findings, log } = await requestSelfValidation(
      deps,
      checkConnection(found.connection, guard),
    ).catch((error: unknown) => {
      throw error instanceof UpstreamFailure ? describeFailure(error) : error;
    });
    if (given.json) tools.print(JSON.stringify({ success: isSuccessful, findings, log }));
    else {
      for (const finding of findings) tools.print(finding);
      tools.print(isSuccessful ? 'The self-validation succeeded.' : 'The self-validation failed.');
    }
    if (!isSuccessful) process.exitCode = 1;
  });

function checkConnection({ upstreamUrl, ...connection }: OpenConnection, { refuse }: AddressGuard) {
  if (connection.dialect !== 'slotegrator') {
    throw new CommandRefused(`only slotegrator has a self-validation; this is ${connection.dialect}`);
  }
  if (upstreamUrl === undefined) {
    throw new CommandRefused('the connection has no upstream URL; add one with providers edit');
  }
  const refusal = refuse(upstreamUrl);
  if (refusal !== undefined) throw new CommandRefused(`the upstream URL ${refusal}`);
  return { ...connection, upstreamUrl };
}

const reasons: Readonly<Partial<Record<FailureReason, string>>> = {
  unreachable: 'the connection failed',
  timeout: 'there was no answer in time, so the test may still run',
  not_authorised: 'the provider refused the merchant ID or the merchant key',
  redirected: 'the upstream URL redirects to another address',
  wrong_status: 'the provider answered with an error; launch a game for the test player first',
  not_json: 'the answer is not JSON',
  wrong_shape: 'the answer does not have the form of a self-validation',
  too_large: 'the answer is too large',
};

/** After these failures, it is certain that the provider did not test the wallet. */
const refusals: Readonly<Partial<Record<FailureReason, RefusalReason>>> = {
  unreachable: 'unavailable',
  not_authorised: 'usage',
  redirected: 'usage',
};

function describeFailure({ reason }: UpstreamFailure): PlainError {
  const message = `The self-validation has no result: ${reasons[reason] ?? reason}.`;
  const refusal = refusals[reason];
  return refusal === undefined ? new PlainError(message) : new CommandRefused(message, refusal);
}
