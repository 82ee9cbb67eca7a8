-- State 2 is a round in which no bet or win counts: each was refused or rolled back. Such rounds were
-- listed as open. A round of free bets only is marked too, and is open again with its next bet or win.
update rounds set state = 2 where state = 0 and bet_total = 0 and win_total = 0;
