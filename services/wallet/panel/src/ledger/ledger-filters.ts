// Converts the filters in the address of the ledger into query parameters of the service.
import type { Filters } from '@counterfoil/ui/table/filters.tsx';

const dayForm = /^\d{4}-\d{2}-\d{2}$/;
const dayMs = 86_400_000;

/** Days are UTC days, as in the daily files of the ledger. */
function readDay(text: string | undefined, wholeDays: number): string | undefined {
  if (text === undefined || !dayForm.test(text)) return undefined;
  const start = Date.parse(`${text}T00:00:00Z`);
  return Number.isNaN(start) ? undefined : new Date(start + wholeDays * dayMs).toISOString();
}

export const readLedgerFilters = (filters: Filters): Filters => ({
  player_id: filters.player_id,
  // The service accepts a purse as a filter only together with a player.
  purse: filters.player_id === undefined ? undefined : filters.purse,
  kind: filters.kind,
  result: filters.result,
  game_id: filters.game_id,
  from: readDay(filters.from, 0),
  to: readDay(filters.to, 1),
});
