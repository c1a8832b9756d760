-- What a player chose for a bet that would be matched with one of their own: for all bets, or for one.

alter table wallet add column self_match text not null default 'REFUSE'
	check (self_match in ('REFUSE', 'LAPSE_RESTING', 'LAPSE_TAKING'));
comment on column wallet.self_match is 'For a bet of the player that would be matched with a resting one of the same player: REFUSE it, LAPSE_RESTING the resting one, LAPSE_TAKING the rest of the arriving one';

alter table bet_terms add column self_match text
	check (self_match in ('REFUSE', 'LAPSE_RESTING', 'LAPSE_TAKING'));
comment on column bet_terms.self_match is 'What happens if this bet would be matched with a resting one of the same player; null where the wallet’s choice applies';
alter table bet_terms drop constraint bet_terms_check;
alter table bet_terms add constraint bet_terms_check
	check (post_only is not null or expires_at is not null or self_match is not null);
