-- The name of the holder's connections. A standby that finds none of them knows sooner that the holder is gone. Null for a
-- holder of an earlier version.
alter table lease add column holder text;
