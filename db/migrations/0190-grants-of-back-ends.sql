-- A login that a back end got for an authorization code: the digest of that code, so that a second use of it ends the login
-- even after a restart, and the player's login that ends this one, where the client asks for that.
alter table login add column code_digest text;
alter table login add column parent_login_id text;
-- Whether a back end's logins end with the player's login that let it in.
alter table back_end_client add column ends_with_login boolean not null default false;
