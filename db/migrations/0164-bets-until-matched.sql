-- Bets that lapse once others have matched so much of their runner.

alter table bet_terms add column until_matched bigint check (until_matched >= 0);
alter table bet_terms add column until_volume bigint;
comment on column bet_terms.until_matched is 'The unmatched part lapses once others have matched this volume of the runner since the bet, backers’ stake, paise; null for a bet that does not';
comment on column bet_terms.until_volume is 'The volume of the book at which that is, paise, without what is matched of the bet itself';
alter table bet_terms drop constraint bet_terms_check;
alter table bet_terms add constraint bet_terms_check
	check (post_only is not null or expires_at is not null or self_match is not null or until_matched is not null);
