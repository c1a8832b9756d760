-- {maxStake, maxProfit, maxExposure} in paise, 0 for none; null for players without limits of their own.
alter table wallet add column limits jsonb;
