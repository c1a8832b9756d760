-- A member's claim on what waits in the payment queue. It holds while its time is not up, the holder has taken no later
-- step, and is not removed; a row that no longer holds stays until the next claim or release.
create table payment_claim (
	kind text not null,
	id bigint not null,
	holder text not null,
	-- null for an operator at the command line
	staff_id bigint references staff,
	-- of the workflow when it was claimed
	step int not null,
	since bigint not null,
	until bigint not null,
	primary key (kind, id)
);
