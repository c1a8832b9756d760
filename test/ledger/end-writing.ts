/** SQL: ends the connection over which batches are written, whatever it does. */
export const END_WRITING = `select pg_terminate_backend(pid) from pg_stat_activity
	where datname = current_database() and query like 'with fence as %'`;
