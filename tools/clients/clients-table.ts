/** The table of docs/BOTS.md: which operation which client could use. */
import { SERVICES } from '../../src/server/doors/bots-api/rpc-routes.ts';

/** Operations beside those of the services, what they say of starting prices, and the one data service that clients ask by itself. */
const BEFORE = ['login', 'keepAlive'];
const BEHIND = [
	'placeOrders MARKET_ON_CLOSE',
	'placeOrders LIMIT_ON_CLOSE',
	'updateOrders MARKET_ON_CLOSE',
	'listMarketBook SP',
	'listCurrentOrders on close',
	'marketSubscription SP',
	'navigation',
	'marketSubscription',
	'orderSubscription',
	'raceSubscription',
	'inPlayService',
	'raceCard',
	'logout',
];

/** All rows, in their order. */
export const ROWS: readonly string[] = [
	...BEFORE,
	...new Set(SERVICES.flatMap(({ operations }) => Object.keys(operations))),
	...BEHIND,
];

/** What a client made of the server's answers, and of the recorded ones. */
export interface Findings {
	title: string;
	server: ReadonlyMap<string, string | null>;
	recorded: ReadonlyMap<string, string | null>;
}

const cellOf = (found: ReadonlyMap<string, string | null>, operation: string): string =>
	found.has(operation) ? (found.get(operation) === null ? 'yes' : 'no') : '';

/** A table as the formatter wants it: each column as wide as its widest cell. */
function aligned([head = [], ...rows]: string[][]): string {
	const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)));
	const line = (cells: string[]) => `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
	return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

export function clientsTable(findings: readonly Findings[]): string {
	const head = ['operation', ...findings.flatMap(({ title }) => [title, 'recorded'])];
	const rows = ROWS.map((operation) => [
		operation,
		...findings.flatMap(({ server, recorded }) => [cellOf(server, operation), cellOf(recorded, operation)]),
	]);
	return aligned([head, ...rows]);
}

/** What a client could not read, a sentence each. */
export const faultsOf = ({ title, server }: Findings): string[] =>
	[...server].flatMap(([operation, error]) => (error === null ? [] : [`${title}: ${operation}: ${error}`]));

const [BEGIN, END] = ['<!-- npm run clients -->', '<!-- end -->'];

/** The document with this table in its place. */
export function withTable(document: string, table: string): string {
	const [from, to] = [document.indexOf(BEGIN), document.indexOf(END)];
	if (from < 0 || to < from) throw new Error(`The document has no place between ${BEGIN} and ${END}.`);
	return `${document.slice(0, from + BEGIN.length)}\n\n${table}\n\n${document.slice(to)}`;
}

/** The table that the document has. */
export const tableIn = (document: string): string =>
	document.slice(document.indexOf(BEGIN) + BEGIN.length, document.indexOf(END)).trim();
