-- Whether the device of an attempt had logged in as the player before. Null where a device shows nothing: a failure, an API
-- key, a player without a password, and attempts from before.
alter table login_attempt add column is_new_device boolean;
