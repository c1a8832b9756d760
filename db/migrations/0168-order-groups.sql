-- Groups of a player's bets that are cancelled together once much of them is matched at once.

create table order_group (
	wallet_id bigint not null,
	name text not null check (name <> ''),
	most bigint not null check (most > 0),
	recent jsonb not null,
	closed_at bigint,
	primary key (wallet_id, name)
);
comment on table order_group is 'Groups of bets that are cancelled together once more than an amount of them was matched within 15 seconds';
comment on column order_group.name is 'A name of the player’s own';
comment on column order_group.most is 'How much may be matched within 15 seconds, minor units';
comment on column order_group.recent is 'What was matched of its bets of late: a list of times, milliseconds since 1970, with stakes, minor units';
comment on column order_group.closed_at is 'When more was matched, milliseconds since 1970: it takes no bets until its player resets it; null while it takes bets';

alter table bet_terms add column order_group text;
comment on column bet_terms.order_group is 'The group of its player that it is of; null without one';
alter table bet_terms drop constraint bet_terms_check;
alter table bet_terms add constraint bet_terms_check
	check (post_only is not null or expires_at is not null or self_match is not null or until_matched is not null or order_group is not null);
