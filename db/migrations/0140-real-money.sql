-- Real money comes in and goes out by a real provider alone, whatever the code does.

alter table workflow add constraint workflow_simulator_moves_no_real_money
	check (pool <> 'REAL' or kind not in ('PAYMENT', 'WITHDRAWAL') or data ->> 'provider' is distinct from 'SIMULATOR');
