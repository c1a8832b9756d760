/** The audit of the journal: each row follows the one before, and each player's row equals the one last recorded. */
import {
	JOURNAL_COLUMNS,
	JOURNAL_START,
	type JournalRow,
	journalChainAfter,
	PLAYER_COLUMNS,
	playerHashOf,
} from '../src/server/platform/postgres/journal.ts';
import { KEPT_TABLES, rowHashOf } from '../src/server/platform/postgres/journal-rows.ts';
import type { Check } from './audit-check.ts';
import { rowsOf } from './audit-seals.ts';

export const journalHolds: Check = {
	name: 'every act of the journal follows on the one before',
	run: async (client, { keys }) => {
		let chain: Buffer = JOURNAL_START;
		let rows = 0;
		const query = `select ${JOURNAL_COLUMNS}, key_id, chain from journal order by seq`;
		type Chained = JournalRow & { key_id: string; chain: Buffer };
		for await (const { key_id, chain: kept, ...row } of rowsOf<Chained>(client, 'acts', query)) {
			rows++;
			const wrong = { table: 'journal', seq: row.seq };
			if (row.seq !== rows) return { rows, wrong: { ...wrong, seq: rows, is: 'missing' } };
			const key = keys.get(key_id);
			if (key === undefined) return { rows, wrong: { ...wrong, is: 'sealed with a key that was not given' } };
			chain = journalChainAfter(key, chain, row);
			if (!chain.equals(kept)) return { rows, wrong: { ...wrong, is: 'edited' } };
		}
		return { rows, wrong: null };
	},
};

/** Staff, their roles, proposals. */
export const keptRowsAreWritten: Check = {
	name: 'every member of staff, role and proposal is the one that the journal says',
	run: async (client, { keys }) => {
		let rows = 0;
		for (const [table, { key, columns }] of Object.entries(KEPT_TABLES)) {
			const names = columns.split(', ').map((column) => `kept.${column}`);
			const { rows: kept } = await client.query<Record<string, string | number | null>>(
				`select ${names.join(', ')}, written.hash as "hash", written.key_id as "key id" from ${table} as kept
				left join lateral (
					select row_hash as hash, key_id from journal
					where row_name = '${table} ' || kept.${key} and row_hash is not null order by seq desc limit 1
				) as written on true order by kept.${key}`,
			);
			for (const { hash, 'key id': keyId, ...row } of kept) {
				rows++;
				const wrong = { table, [key]: row[key] };
				if (hash === null) return { rows, wrong: { ...wrong, is: 'added' } };
				const secret = keys.get(String(keyId));
				if (secret === undefined || rowHashOf(secret, row) !== hash) return { rows, wrong: { ...wrong, is: 'edited' } };
			}
			const { rows: gone } = await client.query<{ row_name: string }>(
				`select row_name from journal where row_hash is not null and row_name like '${table} %'
				 and not exists (select from ${table} as kept where '${table} ' || kept.${key} = row_name) limit 1`,
			);
			if (gone[0]) return { rows, wrong: { table, row: gone[0].row_name, is: 'missing' } };
		}
		return { rows, wrong: null };
	},
};

export const playersAreWritten: Check = {
	name: 'every player is the one that the journal says',
	run: async (client, { keys }) => {
		type Player = { player_id: number; hash: string | null; key_id: string | null };
		let rows = 0;
		const query = `select ${PLAYER_COLUMNS}, written.hash, written.key_id from player
			left join lateral (
				select player_hash as hash, key_id from journal
				where journal.player_id = player.player_id and player_hash is not null order by seq desc limit 1
			) as written on true order by player_id`;
		for await (const { hash, key_id, ...row } of rowsOf<Player>(client, 'players', query)) {
			rows++;
			const wrong = { table: 'player', player_id: row.player_id };
			if (hash === null) return { rows, wrong: { ...wrong, is: 'added' } };
			const key = keys.get(key_id ?? '');
			if (key === undefined || playerHashOf(key, row) !== hash) return { rows, wrong: { ...wrong, is: 'edited' } };
		}
		const { rows: gone } = await client.query<{ player_id: number }>(
			`select player_id from journal where player_hash is not null
			 and not exists (select 1 from player where player.player_id = journal.player_id) limit 1`,
		);
		return { rows, wrong: gone[0] ? { table: 'player', ...gone[0], is: 'missing' } : null };
	},
};
