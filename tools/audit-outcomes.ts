/** The audit of accesses to outcomes that are known before their bets. */
import { OUTCOMES_READ } from '../src/server/money/casino/outcome-access.ts';
import type { Check } from './audit-check.ts';

/** Rounds whose hashes a process read, by the journal. Rounds of releases without such entries come before the first. */
const ENTRIES = `
	entry as (
		select game, number as chain, details ->> 'purpose' as purpose,
			first_round + (details ->> 'first')::int - 1 as first, first_round + (details ->> 'last')::int - 1 as last
		from journal join game_chain on subject = 'chain ' || game || ' ' || number
		where act = '${OUTCOMES_READ}'
	), since as (
		select game, min(first) as first from entry where purpose <> 'SEALED_ANEW' group by game
	), revealed as (
		select round.* from table_round as round join since using (game)
			join game_chain as own on own.game = round.game and own.number = round.chain and round.position <= own.length
		where round.hash is not null and round.round >= since.first
	)`;

export const outcomesAreEntered: Check = {
	name: 'the hash of every shared round was read after an entry in the journal',
	run: async (client) => {
		const { rows: counted } = await client.query<{ rows: number }>(
			`with ${ENTRIES} select count(*)::int as rows from revealed`,
		);
		const { rows: found } = await client.query<Record<string, unknown>>(
			`with ${ENTRIES} select 'table_round' as table, game, round::text, chain, position from revealed
			 where not exists (
				select from entry where entry.game = revealed.game and entry.chain = revealed.chain
					and purpose in ('ROUNDS', 'RESTART') and revealed.round between entry.first and entry.last
			 ) order by game, revealed.round limit 1`,
		);
		return { rows: counted[0]?.rows ?? 0, wrong: found[0] ?? null };
	},
};
