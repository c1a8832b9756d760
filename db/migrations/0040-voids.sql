-- Matches that were declared not to have been, by their batch and line.
create table void_match (
	batch bigint not null,
	line int not null,
	primary key (batch, line)
);
