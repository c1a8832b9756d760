-- Members of staff who log in by OpenID Connect: two members enter beforehand by which identity.

create table staff_identity (
	staff_id bigint primary key references staff (staff_id),
	issuer text not null,
	email text check (email = lower(email)),
	subject text,
	entered_at bigint not null,
	removed_at bigint,
	constraint staff_identity_named check (email is not null or subject is not null)
);
comment on table staff_identity is 'By which identity of the company’s log-in a member is known. Two members enter it, or the command line; the journal vouches for the rows';
comment on column staff_identity.issuer is 'The issuer that was configured then: another one’s subjects are other persons';
comment on column staff_identity.subject is 'Of the issuer; where only an address was entered, that of the first log-in with it, so that an address that is given to another person opens nothing';
comment on column staff_identity.removed_at is 'Null while it holds';
create unique index staff_identity_email on staff_identity (issuer, email) where removed_at is null and email is not null;
create unique index staff_identity_subject on staff_identity (issuer, subject) where removed_at is null and subject is not null;
