/** The table of public clients in docs/BOTS.md: it names every operation, and says what the clients that are here say. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runClients } from '../../tools/clients/clients-lab.ts';
import { clientsTable, faultsOf, ROWS, tableIn, withTable } from '../../tools/clients/clients-table.ts';
import { presentClients } from '../../tools/clients/known-clients.ts';

const document = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'BOTS.md'), 'utf8');
const cells = (row: string): string[] => row.split('|').map((cell) => cell.trim());

it('names every operation once, and no client that is refused what the service gives it', () => {
	const [head = '', , ...rows] = tableIn(document).split('\n');
	expect(rows.map((row) => cells(row)[1])).toEqual(ROWS);
	const servers = cells(head).flatMap((title, column) => (/ \d/.test(title) ? [column] : []));
	expect(servers.length).toBeGreaterThan(0);
	for (const row of rows) for (const column of servers) expect(cells(row)[column], row).not.toBe('no');
});

it('says of each client what came of an operation, with its reason, and leaves out what it was not asked', () => {
	const server = new Map([
		['login', null],
		['placeOrders', 'KeyError: betId'],
	]);
	const findings = { title: 'client 1.0', server, recorded: new Map([['login', null]]) };
	const written = withTable(document, clientsTable([findings]));
	const rows = tableIn(written).split('\n').map(cells);
	const of = (operation: string) => rows.find(([, name]) => name === operation)?.slice(2, 4);
	expect([of('login'), of('placeOrders'), of('logout')]).toEqual([
		['yes', 'yes'],
		['no', ''],
		['', ''],
	]);
	expect(faultsOf(findings)).toEqual(['client 1.0: placeOrders: KeyError: betId']);
	expect(withTable(written, tableIn(document))).toBe(document);
});

const { clients } = presentClients(process.env['CLIENTS'] ?? null);
it.skipIf(clients.length === 0)(
	'has what the clients that are here make of this server',
	{ tags: 'thorough' },
	async () => {
		const findings = await runClients(clients);
		expect(findings.flatMap(faultsOf)).toEqual([]);
		const [head = '', , ...rows] = tableIn(document).split('\n').map(cells);
		for (const { title, server } of findings) {
			const column = (head as string[]).indexOf(title);
			// Another version of the client may have other operations.
			if (column < 0) continue;
			const told = rows.flatMap((row) => (row[column] === 'yes' ? [row[1]] : []));
			expect(told.filter((operation) => !server.has(operation ?? ''))).toEqual([]);
		}
	},
);
