-- The HLS stream that was configured for a fixture, if any.
alter table fixture add column stream_url text;
