-- The simulated payment provider's dispute of a payment: the cycle that is open, or was last.
alter table simulated_payment add column dispute jsonb;
