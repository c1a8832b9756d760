/**
 * An anchor: a file of the chains' heads, one JSON line for each audit, kept out of reach of the database's writers. A
 * database that was rolled back or rewritten lacks a head that the file holds.
 */
import { appendFileSync, readFileSync } from 'node:fs';
import type pg from 'pg';
import type { Check } from './audit-check.ts';

interface Head {
	batch: number;
	part: number;
	/** In hexadecimal digits. */
	chain: string;
}

interface AnchorLine extends Head {
	/** ISO 8601, for readers. */
	at: string;
	journal: JournalHead;
}

interface JournalHead {
	seq: number;
	chain: string;
}

/** Looks up every head of the file, and appends the current one when all are found. Runs after all other checks. */
export const anchored = (file: string): Check => ({
	name: 'every head of the anchor is part of the chain',
	run: async (client) => {
		const lines = linesOf(file);
		for (const [index, line] of lines.entries()) {
			const found = await headAt(client, line);
			const written = await journalHeadAt(client, line.journal.seq);
			if (found !== line.chain || written !== line.journal.chain)
				return { rows: index + 1, wrong: { line: index + 1, ...line, found: { chain: found, journal: written } } };
		}
		const [head, journal] = [await currentHead(client), await currentJournalHead(client)];
		const last = lines.at(-1);
		if (head && journal && (head.chain !== last?.chain || journal.chain !== last.journal.chain)) {
			const line: AnchorLine = { at: new Date().toISOString(), ...head, journal };
			appendFileSync(file, `${JSON.stringify(line)}\n`, { mode: 0o600 });
		}
		return { rows: lines.length, wrong: null };
	},
});

function linesOf(file: string): AnchorLine[] {
	let text: string;
	try {
		text = readFileSync(file, 'utf8');
	} catch (error) {
		if ((error as { code?: string }).code === 'ENOENT') return [];
		throw error;
	}
	return text
		.split('\n')
		.filter((line) => line !== '')
		.map((line) => JSON.parse(line) as AnchorLine);
}

const HEAD = `select batch, part, encode(chain, 'hex') as chain from batch_seal`;

async function headAt(client: pg.PoolClient, { batch, part }: Head): Promise<string | null> {
	const { rows } = await client.query<Head>(`${HEAD} where batch = $1 and part = $2`, [batch, part]);
	return rows[0]?.chain ?? null;
}

async function currentHead(client: pg.PoolClient): Promise<Head | null> {
	const { rows } = await client.query<Head>(`${HEAD} order by batch desc, part desc limit 1`);
	return rows[0] ?? null;
}

const JOURNAL_HEAD = `select seq, encode(chain, 'hex') as chain from journal`;

async function journalHeadAt(client: pg.PoolClient, seq: number): Promise<string | null> {
	const { rows } = await client.query<JournalHead>(`${JOURNAL_HEAD} where seq = $1`, [seq]);
	return rows[0]?.chain ?? null;
}

async function currentJournalHead(client: pg.PoolClient): Promise<JournalHead | null> {
	const { rows } = await client.query<JournalHead>(`${JOURNAL_HEAD} order by seq desc limit 1`);
	return rows[0] ?? null;
}
