-- Operators send messages again that were given up.

alter table mail drop constraint mail_text;
alter table mail add constraint mail_text check (
	case state when 'WAITING' then text is not null when 'SENT' then text is null else not is_code or text is null end
);
comment on column mail.text is 'Kept while it waits; of a notice that was given up until the row goes, so that it can be sent again';
alter table outbox add column reason text;
comment on column outbox.reason is 'Why a gateway did not take it or did not deliver it, last';
