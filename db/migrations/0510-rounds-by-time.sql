-- Rounds of a player by the time of their last step: losses, cashback.
create index workflow_round_by_time on workflow (wallet_id, at) where kind = 'CASINO';
-- Rounds with a nonce of the player's own seeds; rounds of shared games have none.
create index workflow_with_pair on workflow (wallet_id, id desc) where kind = 'CASINO' and data ->> 'pair' is not null;
-- Who invited a player.
create index workflow_of_referee on workflow (((data ->> 'refereeId')::bigint)) where kind = 'REFERRAL';
-- What a campaign has given.
create index workflow_of_campaign on workflow ((data ->> 'brand'), (data ->> 'campaign')) where kind = 'BONUS';
