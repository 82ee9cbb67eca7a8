// wallet providers calls: lists the latest calls of providers, each with its meaning.
import { formatMinor, type Unit } from '@counterfoil/kit/money';
import { type PageOptions, withPage } from '@counterfoil/kit/process/command-line/page-options';
import { printRows } from '@counterfoil/kit/process/command-line/print';
import type { Command } from 'commander';
import { presentNamedCall } from '../connections/calls/call-line.ts';
import { listCalls } from '../connections/calls/list-calls.ts';
import { listNamedConnections } from '../connections/queries.ts';
import { fail } from '../errors.ts';
import { getManagedPackage } from '../packages/queries.ts';
import { parseLimit } from '../wire/paging.ts';
import { type CommandTools, type OfPackage, runOnPackage } from './command-tools.ts';

type CallsGiven = PageOptions & OfPackage & { readonly player?: string; readonly transactionId?: string };

export function addProviderCalls(command: Command, tools: CommandTools): void {
  withPage(command.argument('[connection-id]', 'one connection only'))
    .option('--player <player_id>', 'only calls for this player')
    .option('--transaction-id <id>', "only calls with this transaction of the provider's")
    .action((id: string | undefined, given: CallsGiven) => list(tools, id, given));
}

const list = (tools: CommandTools, connectionId: string | undefined, given: CallsGiven): Promise<void> =>
  runOnPackage(tools, given.package, async ({ db, target: { packageId } }) => {
    const owner = await getManagedPackage(db, packageId);
    const connections = await listNamedConnections(db, packageId);
    if (connectionId !== undefined && !connections.some(({ id }) => id === connectionId)) {
      throw fail('connection_not_found');
    }
    const { cursor, transactionId, player: playerId } = given;
    const wanted = { packageId, connectionId, cursor, transactionId, playerId };
    const page = await listCalls(db, { ...wanted, limit: parseLimit(given.limit) });
    const calls = page.calls.map((call) => presentNamedCall(call, connections));
    printRows(tools, given, {
      json: { calls, next_cursor: page.nextCursor },
      head: ['TIME', 'CONNECTION', 'CALL', 'PLAYER', 'STATUS', 'CODE', 'MEANING'],
      keep: ['TIME', 'STATUS', 'CODE', 'MEANING'],
      rows: calls.map((call) => [
        call.at,
        call.connection?.name ?? '',
        call.operation,
        call.player_id ?? '',
        String(call.status),
        call.code ?? '',
        describeMeaning(call.meaning, owner),
      ]),
      next: page.nextCursor,
    });
  });

/** The meaning of a call as JSON. Its amounts are texts of whole minor units. */
interface ReadMeaning {
  readonly call: {
    readonly kind: string;
    readonly legs?: readonly { readonly type: string; readonly amount?: string; readonly purse?: string }[];
  };
  readonly result?: {
    readonly kind: string;
    readonly code?: string;
    readonly legs?: readonly { readonly isRepeated: boolean; readonly result: string }[];
    readonly balances?: { readonly cash: string; readonly promo: string };
  };
}

export const findResult = (meaning: unknown): ReadMeaning['result'] =>
  (meaning as ReadMeaning | null)?.result;

/** Describes the meaning of a call in one line, such as `bet 1.00, win 2.00: balance 101.00`. */
export function describeMeaning(meaning: unknown, unit: Unit): string {
  if (meaning === null) return 'the call was not read';
  const { call, result } = meaning as ReadMeaning;
  const format = (minor: string) => formatMinor(BigInt(minor), unit);
  const legs = call.legs?.map(({ type, amount, purse }, index) => {
    const name = `${purse === 'promo' ? 'promo ' : ''}${type.replaceAll('_', ' ')}`;
    const played = result?.legs?.[index];
    const notes = [
      ...(played && played.result !== 'applied' ? [played.result.replaceAll('_', ' ')] : []),
      ...(played?.isRepeated ? ['repeated'] : []),
    ];
    const money = amount === undefined ? '' : ` ${format(amount)}`;
    return `${name}${money}${notes.length > 0 ? ` (${notes.join(', ')})` : ''}`;
  });
  const what = legs && legs.length > 0 ? legs.join(', ') : call.kind.replaceAll('_', ' ');
  if (!result) return what;
  if (result.kind === 'failed') return `${what}: refused, ${result.code}`;
  const { cash, promo = '0' } = result.balances ?? {};
  if (cash === undefined) return what;
  const balance = `${call.kind === 'balance' ? '' : 'balance '}${format(cash)}`;
  return `${what}: ${balance}${promo === '0' ? '' : ` and ${format(promo)} promo`}`;
}
