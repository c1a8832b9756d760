-- What operators and accounts did: by whom, from where, and how things were before and after. Rows are only ever added.
create table journal (
	seq bigint primary key,
	at bigint not null,
	-- what the operator calls himself, "player", or "server"
	actor text not null,
	address text,
	act text not null,
	subject text not null,
	details jsonb,
	before jsonb,
	after jsonb,
	outcome text not null,
	-- of an act that wrote a row of player: whose, and the keyed hash of what the row holds since
	player_id bigint,
	player_hash text,
	key_id text,
	-- keyed hash over the chain before and this row; null until the first start for rows from before
	chain bytea
);
create index journal_of_player on journal (player_id, seq) where player_hash is not null;

insert into journal (seq, at, actor, act, subject, details, outcome)
select row_number() over (order by at, act_id), at, operator, act, '', details, outcome from operator_act;
drop table operator_act;
