-- Bets that take the starting price, which an auction finds at the turn in-play.
alter table bet add column on_close jsonb;
alter table bet add column takes_start boolean;
comment on column bet.on_close is
  'Of a bet that waits outside the book for the starting price: {limit, liability}. The limit is the worst price that it takes, hundredths, or null; the liability is the stake of a back, or what a lay can lose, paise, as it was placed. Before the auction price is evens and stake the liability; the auction writes the starting price and the stake that it came to.';
comment on column bet.takes_start is 'True where the unmatched part takes the starting price at the turn in-play; null for other bets';
