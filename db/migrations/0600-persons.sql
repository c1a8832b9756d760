-- Who is the same person: which facts about an account are proven, and which are hints.

-- When a code proved the mobile; null while the mobile is only what somebody said.
alter table player add column mobile_verified_at bigint;
-- The player whose code the account registered with, and the first one of that tree; both null without an invitation.
alter table player add column invited_by bigint references player (player_id);
alter table player add column invitation_root bigint references player (player_id);
create index player_invitation_root on player (invitation_root) where invitation_root is not null;
-- When an operator knew the player by it; null for those from before.
alter table player_identity add column at bigint;

-- Facts that an operator refuted for an account, such as a mobile that has a new owner: they connect it with nobody.
create table refuted_fact (
	player_id bigint not null references player (player_id),
	kind text not null check (kind in ('mobile', 'document', 'payout')),
	-- the mobile, or the keyed fingerprint
	value text not null,
	at bigint not null,
	operator text not null,
	reason text not null,
	primary key (player_id, kind, value)
);

-- Whether the latest code went to the mobile; one that the page was told proves nothing.
alter table registration add column code_texted boolean not null default false;

-- A code that is on its way to a mobile, which proves that it is the player's.
create table mobile_proof (
	player_id bigint primary key references player (player_id),
	mobile text not null,
	-- the latest code, sealed with the server's key; earlier ones are worth nothing
	code_hash text not null,
	code_ends_at bigint not null,
	code_tries int not null
);

-- Members of staff who are players, too: an operator says so. Members do not decide about their own accounts.
create table staff_player (
	player_id bigint primary key references player (player_id),
	staff_id bigint not null references staff (staff_id),
	linked_at bigint not null,
	removed_at bigint
);

-- A brand that skips the verification, or that skipped it once, proved no mobile.
with skipping as (
	select host from brand where setting ->> 'skipVerification' = 'true'
	union
	select host from brand join journal on subject = 'domain ' || host where details::text like '%skipVerification%'
)
update player set mobile_verified_at = created_at
where mobile is not null and brand not in (select host from skipping);

update player set invited_by = workflow.wallet_id
from workflow_claim as claim join workflow using (kind, id)
where claim.name = 'referral:' || player.player_id and kind = 'REFERRAL';

with recursive tree (player_id, root) as (
	select player_id, player_id from player where invited_by is null and player_id in (select invited_by from player)
	union
	select player.player_id, root from tree join player on player.invited_by = tree.player_id
)
update player set invitation_root = root from tree where tree.player_id = player.player_id and tree.root <> tree.player_id;

-- What accounts shared by a mobile that nothing proved. Each of them keeps it as its own, and operators look at it.
create table bar_on_hint (
	player_id bigint primary key references player (player_id),
	-- the accounts that it shared limits and breaks with
	others bigint[] not null,
	-- what its own record held before it kept theirs
	before jsonb,
	-- when an operator looked at it, and whose decision it was
	decided_at bigint,
	decided_by text
);

with recursive link (player_id, other_id) as materialized (
	select own.player_id, other.player_id from player as own join player as other using (mobile)
	where mobile in (select mobile from player where mobile is not null group by mobile having count(*) > 1)
	union
	select own.player_id, other.player_id from player_identity as own join player_identity as other using (fingerprint)
), person (player_id, other_id) as (
	select player_id, other_id from link
	union
	select person.player_id, link.other_id from person join link on link.player_id = person.other_id
), unsure as (
	select person.player_id from person join player as other on other.player_id = other_id
	where other.mobile_verified_at is null
	  and exists (select 1 from player as same where same.mobile = other.mobile and same.player_id <> other.player_id)
	group by person.player_id
), bar as (
	select person.player_id, other_id, record from person join player_protection as other on other.player_id = other_id
), breaks as (
	select player_id, max(excluded) as excluded, max(timed_out) as timed_out from (
	  select player_id, (record ->> 'excludedUntilMs')::bigint as excluded, (record ->> 'timeOutUntilMs')::bigint as timed_out
	  from bar
	  union all
	  select person.player_id, until_at, null from person join player on player.player_id = other_id join exclusion using (mobile)
	  union all
	  select person.player_id, until_at, null from person join player_identity on player_identity.player_id = other_id
	    join excluded_identity using (fingerprint)
	) as each group by player_id
), chosen as (
	select player_id, jsonb_object_agg(name, least) as limits from (
	  select bar.player_id, name, min(value::bigint) as least
	  from bar join player as own on own.player_id = bar.player_id join player as other on other.player_id = other_id
	  cross join lateral jsonb_each_text(record -> 'limits') as set (name, value)
	  where value is not null and own.pool = other.pool
	  group by 1, 2
	) as lowest group by player_id
), kept as (
	select player_id, protection.record as before, excluded, timed_out, coalesce(limits, '{}') as limits
	from unsure left join breaks using (player_id) left join chosen using (player_id)
	left join player_protection as protection using (player_id)
	where excluded is not null or timed_out is not null or limits is not null
), listed as (
	insert into bar_on_hint (player_id, others, before)
	select player_id, array(
	  select other_id from person where person.player_id = kept.player_id and other_id <> kept.player_id order by other_id
	), before from kept
)
insert into player_protection (player_id, record)
select player_id, coalesce(before, '{"limits": {}, "raises": {}, "timeOutUntilMs": null, "excludedUntilMs": null,
  "closedAtMs": null, "frozen": null, "realityCheckMinutes": null}') || jsonb_build_object(
    'limits', coalesce(before -> 'limits', '{}') || limits, 'excludedUntilMs', excluded, 'timeOutUntilMs', timed_out)
from kept
on conflict (player_id) do update set record = excluded.record;
