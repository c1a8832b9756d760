-- Results that feeds report and a member confirms: without a member who proposed them, and at most one that waits for each
-- market. The feed is named in the reason, which the row's hash in the journal covers.
alter table proposal alter column proposed_by drop not null;
create unique index proposal_of_feed on proposal (subject) where proposed_by is null and state in ('OPEN', 'APPLYING');
-- What was proposed about a subject.
create index proposal_by_subject on proposal (subject, proposed_at);
