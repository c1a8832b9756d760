-- Accepted requests by the day of their stamp: five partitions in turn, so that old days go by truncation.
-- slot: the number of the day since 1970, modulo five.
alter table request_key rename to request_key_before;
alter index request_key_pkey rename to request_key_before_pkey;

create table request_key (
	slot smallint not null,
	wallet_id bigint not null,
	client_request_id text not null,
	body_hash text not null,
	answer jsonb not null,
	at bigint not null,
	primary key (wallet_id, client_request_id, slot)
) partition by list (slot);
create table request_key_0 partition of request_key for values in (0);
create table request_key_1 partition of request_key for values in (1);
create table request_key_2 partition of request_key for values in (2);
create table request_key_3 partition of request_key for values in (3);
create table request_key_4 partition of request_key for values in (4);

insert into request_key
select (at / 86400000) % 5, wallet_id, client_request_id, body_hash, answer, at from request_key_before
where at > (select max(at) from request_key_before) - 3 * 86400000::bigint;
drop table request_key_before;
