-- A planned hand-over. The exchange names the standby for which it releases the lease.
alter table lease add column heir text;
-- Where the process that holds the lease answers other processes; null when it started without standing by.
alter table lease add column address text;
-- Which key and which contract the standby has. The exchange hands over to one that has its own.
alter table follower add column mark text not null default '';
