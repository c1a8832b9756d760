-- Which versions of a brand's terms and privacy policy each player accepted.

create table accepted_terms (
	player_id bigint not null references player (player_id),
	kind text not null check (kind in ('TERMS', 'PRIVACY')),
	version text not null,
	brand text not null,
	at bigint not null,
	address text not null,
	primary key (player_id, kind, version)
);
comment on table accepted_terms is 'Written when a player accepts, and never changed or deleted: GLI-19, 2.5.2';
comment on column accepted_terms.at is 'By the exchange’s clock';
