-- Who had money at risk in a market or a round: relatives of a player, where they are too many to ask about each.
create index money_at_risk_by_ref on money_at_risk (what, ref);
