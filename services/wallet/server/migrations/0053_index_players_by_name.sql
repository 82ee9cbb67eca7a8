-- no transaction
-- The panel finds players by the beginning of their name. Most players have none, and are not in it.
create index concurrently if not exists players_by_name
  on players (package_id, lower(name) collate "C", player_id collate "C") where name <> '';
