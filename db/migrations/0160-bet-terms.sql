-- Post-only bets, and bets that are good till a time: few bets have terms, so they have rows of their own.

create table bet_terms (
	bet_id bigint primary key,
	post_only text check (post_only in ('REFUSE', 'REPRICE')),
	expires_at bigint,
	check (post_only is not null or expires_at is not null)
);
comment on table bet_terms is 'What few bets ask beside price and stake: written with the bet, in the same batch';
comment on column bet_terms.post_only is 'What was done if the bet would have been matched as it arrived: REFUSE, REPRICE to the nearest price at which it rests; null for a bet that may be matched';
comment on column bet_terms.expires_at is 'When the unmatched part lapses, by the exchange’s clock, milliseconds since 1970; null for a bet that is good till cancelled';
