-- When a bet was matched last; null while it was not.
alter table bet add column matched_at bigint;
update bet set matched_at = met.at
from (
  select one.bet_id, max(coalesce(one.at, taker.placed_at)) as at
  from (
    select taker_bet_id as bet_id, taker_bet_id, at from bet_match
    union all
    select maker_bet_id, taker_bet_id, at from bet_match
  ) as one
  join bet as taker on taker.bet_id = one.taker_bet_id
  group by one.bet_id
) as met
where bet.bet_id = met.bet_id;
