-- Counts the bets of amount 0 in a round that are accepted and not rolled back: such a bet keeps the round
-- open although its total is 0. Bets of earlier versions are not counted; for them the totals decide.
alter table rounds add column zero_bets integer not null default 0;
