-- Fixtures that traders play by hand: their sides, and each score that they entered.

create table own_fixture (
	fixture_id bigint primary key references fixture (id),
	sides jsonb not null
);
comment on table own_fixture is 'Fixtures that no feed plays: traders create, score and end them';
comment on column own_fixture.sides is 'Names of the sides, the first one first';

create table own_score (
	fixture_id bigint not null references own_fixture,
	version int not null,
	at bigint not null,
	act text not null,
	actor text not null,
	card jsonb not null,
	back_to int,
	clock_from bigint,
	primary key (fixture_id, version)
);
comment on table own_score is 'Each score card of a fixture by hand. The newest one is the score; fixture.score has a copy for readers';
comment on column own_score.version is 'The version of the card; two traders who score at once write the same one, and the second is refused';
comment on column own_score.act is 'BEGIN, START, END, or an act of src/values/score-acts.ts';
comment on column own_score.actor is 'The member of staff, as in the journal';
comment on column own_score.back_to is 'The version whose card UNDO brings back; null where nothing can be taken back';
comment on column own_score.clock_from is 'When this part of play began, by which the minute is counted; null before play';
