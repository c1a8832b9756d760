/**
 * An anchor: a file of the chains' heads, one JSON line for each audit, kept out of reach of the database's writers. A
 * database that was rolled back or rewritten lacks a head that the file holds.
 */
import { appendFileSync, readFileSync, truncateSync } from 'node:fs';
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
		const { lines, end, isTorn, isUnended } = readAnchor(file);
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
			if (isTorn) truncateSync(file, end);
			appendFileSync(file, `${isUnended ? '\n' : ''}${JSON.stringify(line)}\n`, { mode: 0o600, flush: true });
		}
		return { rows: lines.length, wrong: null };
	},
});

interface Anchor {
	lines: AnchorLine[];
	/** Where the lines with line breaks end, in bytes. */
	end: number;
	/** Whether a part of a line follows there. */
	isTorn: boolean;
	/** Whether a whole line follows there that lacks only its line break. */
	isUnended: boolean;
}

/**
 * A kill or a full disk may have torn the last line. The next one takes its place.
 * @throws Error for any other line that is none of an anchor: a lost head proves nothing
 */
function readAnchor(file: string): Anchor {
	const bytes = readBytes(file);
	const end = bytes.lastIndexOf('\n') + 1;
	const last = bytes.toString('utf8', end);
	const isUnended = last.endsWith('}') && isJson(last);
	const isTorn = last !== '' && !isUnended;
	if (isTorn) console.error(`${file} ends within a line, which is left out: ${last}`);
	const lines = bytes
		.toString('utf8', 0, isTorn ? end : bytes.length)
		.split('\n')
		.flatMap((line, index) => (line === '' ? [] : [parsed(line, `Line ${index + 1} of ${file}`)]));
	return { lines, end, isTorn, isUnended };
}

function isJson(text: string): boolean {
	try {
		JSON.parse(text);
		return true;
	} catch {
		return false;
	}
}

function readBytes(file: string): Buffer {
	try {
		return readFileSync(file);
	} catch (error) {
		if ((error as { code?: string }).code === 'ENOENT') return Buffer.alloc(0);
		throw error;
	}
}

function parsed(line: string, name: string): AnchorLine {
	if (!isJson(line)) throw new Error(`${name} is damaged: restore the file from a copy.`);
	return JSON.parse(line) as AnchorLine;
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
