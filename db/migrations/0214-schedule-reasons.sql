-- What was refused of a brand's scheduled changes, in words.
alter table brand_schedule add column reason text;
comment on column brand_schedule.reason is 'What the refusal says; null without one, and of those from before it was kept';
