-- Players’ messages and complaints, and what the operator’s staff answers.

create table ticket (
	ticket_id bigint generated always as identity primary key,
	player_id bigint not null references player (player_id),
	kind text not null check (kind in ('MESSAGE', 'COMPLAINT')),
	topic text,
	about_kind text,
	about_id bigint,
	opened_at bigint not null,
	opened_by text,
	state text not null check (state in ('WAITING', 'ANSWERED', 'CLOSED')),
	due_at bigint,
	assignee_id bigint references staff,
	messages int not null,
	read_messages int not null,
	changed_at bigint not null,
	check ((about_kind is null) = (about_id is null)),
	check (read_messages between 0 and messages),
	check (state <> 'CLOSED' or due_at is null)
);
comment on table ticket is 'A player’s message or complaint, or a message of the staff to a player, and what followed it. Its texts are rows of ticket_message';
comment on column ticket.topic is 'What the ticket is about, in its first writer’s words; null once the person was erased';
comment on column ticket.about_kind is 'The kind of the player’s own bet, round or payment that it is about; null without one';
comment on column ticket.opened_by is 'The member of staff; null for a ticket that the player opened';
comment on column ticket.state is 'WAITING for the staff, ANSWERED by them, or CLOSED';
comment on column ticket.due_at is 'A complaint is closed, another ticket answered by then, by the brand’s rules; null while nothing is due';
comment on column ticket.assignee_id is 'The member of staff who looks after it; null without one';
comment on column ticket.messages is 'How many messages it has';
comment on column ticket.read_messages is 'How many of them the player has read, from the first on';
comment on column ticket.changed_at is 'When it was last written in, closed or reopened';
create index ticket_of_player on ticket (player_id, ticket_id);
-- The queue, and the check of deadlines.
create index ticket_open on ticket (due_at, ticket_id) where state <> 'CLOSED';

create table ticket_message (
	message_id bigint generated always as identity primary key,
	ticket_id bigint not null references ticket (ticket_id),
	number int not null,
	player_id bigint not null references player (player_id),
	at bigint not null,
	author text,
	request_id text not null,
	text text,
	salt bytea,
	digest bytea not null,
	unique (ticket_id, number),
	check ((text is null) = (salt is null)),
	check (text is null or digest = sha256(salt || convert_to(text, 'UTF8')))
);
comment on table ticket_message is 'The messages of tickets. Rows are only ever added; a row of the journal has the keyed hash of each, without its text';
comment on column ticket_message.number is 'From 1 on, in the order of the ticket';
comment on column ticket_message.player_id is 'The player of the ticket';
comment on column ticket_message.author is 'The member of staff; null for the player';
comment on column ticket_message.request_id is 'The writer’s own name of the request: a repetition writes nothing';
comment on column ticket_message.text is 'Null once the person was erased';
comment on column ticket_message.salt is 'Random, and erased with the text, so that no text can be guessed from the digest';
comment on column ticket_message.digest is 'SHA-256 of salt and text, which the journal’s hash of the row covers';
create unique index ticket_message_request on ticket_message (player_id, coalesce(author, ''), request_id);
-- How much a player wrote in the last day.
create index ticket_message_of_player on ticket_message (player_id, at) where author is null;
