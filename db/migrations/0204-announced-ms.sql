-- Long turns are not announced any more: a thread of its own gives an exchange's signs of life. A standby of the release before
-- still reads the column while processes are exchanged for those of this one, so it goes with the release after it.
comment on column lease.announced_ms is 'Unused, and always 0: standbys of the release before read it';
update lease set announced_ms = 0;
