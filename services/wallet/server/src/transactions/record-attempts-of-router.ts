// What balances moved behind the router leave: repeats and refusals go to the log, behind the answer.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AttemptRecorder } from './record-attempts.ts';
import { isInJournal, readNames, readRefusal } from './transfer-attempt.ts';
import type { UpdatedBalance } from './update-balance.ts';

interface Told {
  readonly duplicate: boolean;
  readonly result: string;
  readonly field: string;
}

const nothingTold: Told = { duplicate: false, result: '', field: '' };

export interface AttemptNotes {
  /** Listens to what the work comes to; the answer is the same. */
  around<Updated extends UpdatedBalance>(
    request: FastifyRequest,
    work: Promise<Updated>,
  ): Promise<Updated>;
  readonly onResponse: (request: FastifyRequest, reply: FastifyReply, done: () => void) => void;
}

export function createAttemptNotes(deps: {
  attempts: AttemptRecorder;
  now: () => Date;
  /** Undefined where nobody was let in. */
  findPackageId: (request: FastifyRequest) => number | undefined;
}): AttemptNotes {
  const told = new WeakMap<FastifyRequest, Told>();
  return {
    around: async (request, work) => {
      try {
        const updated = await work;
        const { duplicate, movement } = updated;
        if (duplicate) told.set(request, { duplicate, result: movement.result, field: '' });
        return updated;
      } catch (error) {
        told.set(request, { ...readRefusal(error), result: '' });
        throw error;
      }
    },
    onResponse: (request, reply, done) => {
      done();
      const { id: requestId, ip: address } = request;
      const packageId = deps.findPackageId(request);
      const { statusCode: status, failureCode } = reply;
      const code = failureCode ?? '';
      const { duplicate, field, ...heard } = told.get(request) ?? nothingTold;
      if (packageId === undefined || isInJournal({ status, code, duplicate })) return;
      const names = readNames(request.body);
      if (!names) return;
      const result = duplicate && status !== 200 ? code : heard.result;
      const at = deps.now();
      deps.attempts.note({
        ...{ ...names, packageId, at, requestId, address },
        ...{ status, code, result, field },
      });
    },
  };
}
