-- Lists players in one order on every server, whatever its locale, and finds ids by their beginning.
create index players_by_bytes on players (package_id, player_id collate "C");
