-- How often players of a package were given another id or status. Every batch reads it with the head that it
-- locks, so a process learns with a commit whether what it remembers of players may be old.
alter table ledger_heads add column players_version bigint not null default 0;
