-- The stamp of the last batch: the exchange's time continues from it, whatever the clock of the machine says.
alter table lease add column at bigint not null default 0;
update lease set at = greatest(
	(select coalesce(max(at), 0) from posting),
	(select coalesce(max(placed_at), 0) from bet),
	(select coalesce(max(ended_at), 0) from bet)
);
