-- Disputes are workflows of their own; a withdrawal asks whose payments are disputed.
create index workflow_disputed on workflow (wallet_id) where kind = 'DISPUTE';
