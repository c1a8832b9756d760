-- Accounts that logged in at one address, for operators: a player's page and the report of suspicious matches.
create index login_attempt_by_address on login_attempt (address, player_id, at) where succeeded;
