-- The largest bet of a package and of a player; the smaller one counts. Null means no limit.
alter table packages add column max_stake bigint check (max_stake > 0);
alter table players add column max_stake bigint check (max_stake > 0);
