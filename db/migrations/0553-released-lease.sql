-- Set by an exchange that has stopped, when its last batch is durable: a standby takes over at once.
alter table lease add column released boolean not null default false;
