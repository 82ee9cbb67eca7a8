// Compares the wallet and licensing with and without requests served from sockets.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compareConversation, printConversation } from './compare-conversations.ts';
import { type Conversation, makeConversations, type Step } from './conversations.ts';
import { report, seed } from './sizes.ts';
import { openLicensingService } from './socket-licensing.ts';
import { type ComparedService, slots } from './socket-service.ts';
import { openWalletService } from './socket-wallet.ts';

const maxMs = 3 * 3_600_000;

/** Replaces the credentials of one service by those of the other, which have the same lengths. */
function replaceCredentials(text: string, from: ComparedService, to: ComparedService): string {
  let replaced = text;
  for (const [i, each] of from.credentials.entries())
    replaced = replaced.replaceAll(each, to.credentials[i] ?? '');
  return replaced;
}

const translateBetween = (fromSockets: ComparedService, fromHttp: ComparedService) => ({
  toHttp: (conversation: Conversation): Conversation => {
    const isBytes = (step: Step): step is Buffer => step !== 'release';
    const text = Buffer.concat(conversation.steps.filter(isBytes)).toString('latin1');
    const bytes = Buffer.from(replaceCredentials(text, fromSockets, fromHttp), 'latin1');
    let at = 0;
    const steps = conversation.steps.map((step) => {
      if (step === 'release') return step;
      at += step.length;
      return bytes.subarray(at - step.length, at);
    });
    return { ...conversation, steps };
  },
  fromHttp: (text: string) => replaceCredentials(text, fromHttp, fromSockets),
});

/**
 * Compares the services until their conversations contain this number of changed requests. Each concurrent
 * conversation uses its own objects, so that the answers do not depend on the order of the conversations.
 */
export function describeServices(changed: number): void {
  describe.each([
    ['wallet', openWalletService],
    ['licensing', openLicensingService],
  ] as const)('the service %s', (name, open) => {
    let fromSockets: ComparedService;
    let fromHttp: ComparedService;
    beforeAll(async () => {
      [fromSockets, fromHttp] = await Promise.all([open('on'), open('off')]);
    });
    afterAll(async () => {
      await Promise.all([fromSockets.close(), fromHttp.close()]);
    });

    it(
      'changed, pipelined and cut requests have the same answers and effects as with node:http',
      async () => {
        const translate = translateBetween(fromSockets, fromHttp);
        const pair = { fromSockets, fromHttp, translate };
        const before = { sockets: fromSockets.parsed(), http: fromHttp.parsed() };
        const sum = { conversations: 0, requests: 0, changed: 0 };
        const all = slots.map((slot) => makeConversations(fromSockets.requestsOf(slot)));
        for (let at = 0; sum.changed < changed; at += slots.length) {
          const group = all.flatMap((each, i) => fc.sample(each, { numRuns: 1, seed: seed + at + i }));
          const compared = await Promise.all(group.map((each) => compareConversation(pair, each)));
          for (const [i, { one, other, result }] of compared.entries()) {
            const conversation = group[i] as Conversation;
            if (result !== 'equal') expect(one, printConversation(conversation)).toEqual(other);
            sum.requests += conversation.requests;
            sum.changed += conversation.changed;
          }
          sum.conversations += group.length;
        }
        expect(await fromSockets.readEffects()).toEqual(await fromHttp.readEffects());
        const http = fromHttp.parsed() - before.http;
        const served = http - (fromSockets.parsed() - before.sockets);
        report(
          `${name}: ${sum.conversations} conversations with ${sum.requests} requests, of which ` +
            `${sum.changed} were changed, cut or pipelined (seed ${seed}): node:http parsed ${http} ` +
            `requests, of which the socket served ${served}`,
        );
        expect(served).toBeGreaterThan(http * 0.1);
      },
      maxMs,
    );
  });
}
