-- Several may register one name: the first whose code comes back becomes the player. The same name with the same mobile is
-- one registration.
alter table registration drop constraint registration_brand_name_key_key;
alter table registration add unique (brand, name_key, mobile);
-- Whether a mobile has an account already.
create index player_mobile on player (brand, mobile) where mobile is not null;
