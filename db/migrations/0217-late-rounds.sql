-- Rounds that end, or are corrected, more than a day after they opened: the figures of a day find the others by their ids.
create index workflow_late_round on workflow (at) where kind = 'CASINO' and at - opened_at > 86400000;
-- Corrections of rounds that had ended: they count at their own time, and their rounds at that of their end.
create index workflow_step_correction on workflow_step (at) where kind = 'CASINO' and from_state in ('SETTLED', 'VOID');
