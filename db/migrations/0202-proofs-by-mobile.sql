-- Accounts that prove one mobile take turns where a mobile has one account.
create index mobile_proof_mobile on mobile_proof (mobile);
