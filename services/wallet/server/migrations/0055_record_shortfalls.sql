-- The reversal of a win takes at most the player's balance. The rest of the win is recorded as its shortfall.
alter table journal add column shortfall bigint;
