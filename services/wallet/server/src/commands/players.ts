// wallet players: lists, shows, creates and blocks players, and erases their personal data.
import { isPrintableWithin } from '@counterfoil/kit/http/text';
import { formatMinor } from '@counterfoil/kit/money';
import type { Db } from '@counterfoil/kit/postgres/db';
import { type PageOptions, withJson, withPage } from '@counterfoil/kit/process/command-line/page-options';
import {
  type OutputOptions,
  printFields,
  printRows,
  printSentence,
} from '@counterfoil/kit/process/command-line/print';
import { CommandRefused } from '@counterfoil/kit/process/plain-error';
import type { Command } from 'commander';
import { fail } from '../errors.ts';
import { getManagedPackage } from '../packages/queries.ts';
import { erasePlayer } from '../players/erase-player.ts';
import { createStatusFinder } from '../players/find-status.ts';
import { createManagedPlayer, setManagedStatus, setMaxStake } from '../players/manage-player.ts';
import { type PlayerStatus, presentPlayer, presentPlayerDetails } from '../players/player.ts';
import { findPlayerDetails, listPlayers } from '../players/queries.ts';
import { formatCursor, parseCursor, parseLimit } from '../wire/paging.ts';
import { formatLimit, readLimit } from './change-package.ts';
import { addForPackage, type CommandTools, type OfPackage, runOnPackage } from './command-tools.ts';

type ListOptions = PageOptions & OfPackage & { readonly search?: string };

export function addPlayers(program: Command, tools: CommandTools): void {
  const players = program.command('players').description("Packages' players.");
  const add = (verb: string, description: string) => addForPackage(players, verb, description);
  withPage(add('list', 'List the players of a package in the order of their ids.'))
    .option('--search <text>', 'a prefix of the id')
    .action((given: ListOptions) => list(tools, given));
  withJson(add('show', 'Show a player with the balance.'))
    .argument('<player_id>')
    .action((playerId: string, given: OfPackage) =>
      runOnPackage(tools, given.package, ({ db, target: { packageId } }) =>
        show(tools, given, { db, packageId, playerId, title: 'A player:' }),
      ),
    );
  withJson(add('create', 'Create a player, for example for tests. If the id exists, nothing changes.'))
    .argument('<player_id>')
    .option('--name <name>', "the player's name", '')
    .action((playerId: string, given: OfPackage & { name: string }) => create(tools, given, playerId));
  for (const [verb, status, description] of [
    ['block', 'blocked', 'Stop a player from betting and launching games.'],
    ['unblock', 'active', 'Let a blocked player play again.'],
  ] as const) {
    withJson(add(verb, description))
      .argument('<player_id>')
      .action((playerId: string, given: OfPackage) => change(tools, given, { playerId, status }));
  }
  withJson(add('max-stake', "Limit a player's bets; the package's limit counts too."))
    .argument('<player_id>')
    .argument('<amount>', 'such as 100.00, or none')
    .action((playerId: string, amount: string, given: OfPackage) =>
      limit(tools, given, { playerId, amount }),
    );
  withJson(add('erase', "Erase a player's name, id, metadata and notes; the money stays."))
    .requiredOption('--player <player_id>', 'the player')
    .action((given: OfPackage & { player: string }) => erase(tools, given));
}

const list = (tools: CommandTools, given: ListOptions): Promise<void> =>
  runOnPackage(tools, given.package, async ({ db, target: { packageId } }) => {
    const owner = await getManagedPackage(db, packageId);
    const after = parseCursor(given.cursor, 'players') ?? '';
    const { search = '' } = given;
    const limit = parseLimit(given.limit);
    const page = await listPlayers(db, { packageId, search, after, limit });
    const next = formatCursor('players', page.next);
    printRows(tools, given, {
      json: { players: page.players.map((player) => presentPlayer(player, owner)), next_cursor: next },
      head: ['PLAYER', 'NAME', 'STATUS', 'BALANCE', '', 'CREATED'],
      keep: ['PLAYER', 'BALANCE'],
      rows: page.players.map((player) => [
        player.playerId,
        player.name,
        player.status,
        formatMinor(player.balance, owner),
        owner.currency,
        player.createdAt.toISOString(),
      ]),
      next,
    });
  });

async function show(
  tools: CommandTools,
  given: OutputOptions,
  what: { db: Db; packageId: number; playerId: string; title: string },
): Promise<void> {
  const { db, packageId, playerId, title } = what;
  const owner = await getManagedPackage(db, packageId);
  const player = await findPlayerDetails(db, { packageId, playerId });
  if (!player) throw fail('player_not_found');
  const { promoBalance } = player;
  const promo: [string, string][] =
    promoBalance === undefined ? [] : [['promo balance', formatLimit(promoBalance, owner)]];
  printFields(tools, given, {
    json: presentPlayerDetails(player, owner),
    title,
    fields: [
      ['player', player.playerId],
      ['name', player.name],
      ['status', player.status],
      ['balance', `${formatMinor(player.balance, owner)} ${owner.currency}`],
      ...promo,
      ['maximum stake', formatLimit(player.maxStake, owner)],
      ['created', player.createdAt.toISOString()],
    ],
  });
}

async function create(
  tools: CommandTools,
  given: OfPackage & { name: string },
  playerId: string,
): Promise<void> {
  const { name } = given;
  if (!isPrintableWithin(playerId, { min: 1, max: 64 }) || !isPrintableWithin(name, { max: 128 }))
    throw new CommandRefused('an id has 1 to 64, a name up to 128 printable characters');
  await runOnPackage(tools, given.package, async ({ db, target }) => {
    const { created } = await createManagedPlayer(db, target, { playerId, name });
    const title = created ? 'The player was created:' : 'The player exists already:';
    await show(tools, given, { db, packageId: target.packageId, playerId, title });
  });
}

const change = (
  tools: CommandTools,
  given: OfPackage,
  wanted: { playerId: string; status: PlayerStatus },
): Promise<void> =>
  runOnPackage(tools, given.package, async ({ db, target }) => {
    await setManagedStatus({ db, statuses: createStatusFinder({ db }) }, target, wanted);
    const { playerId, status } = wanted;
    const title = `The player is ${status}:`;
    await show(tools, given, { db, packageId: target.packageId, playerId, title });
  });

const limit = (
  tools: CommandTools,
  given: OfPackage,
  { playerId, amount }: { playerId: string; amount: string },
): Promise<void> =>
  runOnPackage(tools, given.package, async ({ db, target }) => {
    const deps = { db, statuses: createStatusFinder({ db }) };
    await setMaxStake(deps, target, { playerId, sent: readLimit(amount) });
    const title = 'The maximum stake of the player is changed:';
    await show(tools, given, { db, packageId: target.packageId, playerId, title });
  });

const erase = (tools: CommandTools, given: OfPackage & { player: string }): Promise<void> =>
  runOnPackage(tools, given.package, async ({ db, target: { packageId } }) => {
    await erasePlayer(db, { packageId, playerId: given.player });
    printSentence(tools, given, {
      json: { erased: true },
      sentence: 'The player is erased. The ledger is unchanged.',
    });
  });
