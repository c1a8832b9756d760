/** The tables of the double: as `db/schema.sql` says, in memory, with what is committed alone. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Expression, parseExpression } from './syntax.ts';

/** Values by column: numbers, texts (also those of jsonb), booleans, lists, buffers; times are milliseconds. */
export type Row = Readonly<Record<string, unknown>>;

export interface ColumnDefinition {
	name: string;
	type: string;
	default: Expression | null;
	generated: Expression | null;
	isRequired: boolean;
}
export interface TableDefinition {
	name: string;
	columns: readonly ColumnDefinition[];
	/** The primary key, or the first unique one. */
	key: readonly string[];
	keyName: string;
	checks: readonly { name: string; condition: Expression }[];
}

/** Those that the exchange reads and writes. */
const NAMES = [
	'auto_cash_out',
	'batch_command',
	'batch_seal',
	'bet',
	'bet_end',
	'bet_match',
	'bet_reference',
	'bet_terms',
	'bet_trigger',
	'follower',
	'house_account',
	'lease',
	'market_event',
	'market_state',
	'money_at_risk',
	'order_group',
	'player_settlement',
	'posting',
	'receipt_root',
	'request_key',
	'void_match',
	'wallet',
	'webhook_event',
	'workflow',
	'workflow_claim',
	'workflow_step',
];
const SCHEMA = join(import.meta.dirname, '../../../db/schema.sql');

export function tableDefinitions(): TableDefinition[] {
	const schema = readFileSync(SCHEMA, 'utf8');
	return NAMES.map((name) => {
		const [, body = ''] = new RegExp(`^create table ${name} \\(\n([^;]*?)\n\\)`, 'm').exec(schema) ?? [];
		const columns = body.split(',\n\t').map((line) => columnOf(line.trim()));
		const constraints = [
			...schema.matchAll(
				new RegExp(
					`^alter table ${name} add constraint (\\w+) (PRIMARY KEY|UNIQUE|CHECK) (.*?)(?: NOT VALID)?;$`,
					'gm',
				),
			),
		].map(([, constraint = '', kind = '', rule = '']) => ({ constraint, kind, rule }));
		const unique =
			constraints.find(({ kind }) => kind === 'PRIMARY KEY') ?? constraints.find(({ kind }) => kind === 'UNIQUE');
		if (!unique) throw new Error(`the schema has no table ${name} with a key`);
		return {
			name,
			columns,
			key: unique.rule.slice(1, -1).split(', '),
			keyName: unique.constraint,
			checks: constraints
				.filter(({ kind }) => kind === 'CHECK')
				.map(({ constraint, rule }) => ({ name: constraint, condition: parseExpression(rule) })),
		};
	});
}

function columnOf(line: string): ColumnDefinition {
	const [, name = '', type = '', isRequired, byDefault, generated] =
		/^(\w+) ([\w ]+?(?:\[\])?)( not null)?(?: default (.*?))?(?: generated always as (.*) stored)?$/.exec(line) ?? [];
	if (name === '') throw new Error(`the schema has a column that cannot be read: ${line}`);
	return {
		name,
		type,
		default: byDefault === undefined ? null : parseExpression(byDefault),
		generated: generated === undefined ? null : parseExpression(generated),
		isRequired: isRequired !== undefined,
	};
}

/** Followed by many looks a second for what is new. */
const RISING: Readonly<Record<string, string>> = { batch_command: 'batch' };

export class Table {
	readonly definition: TableDefinition;
	readonly #rows: Map<string, Row>;
	/** By column and value, once they were asked for. */
	readonly #indexes = new Map<string, Map<unknown, Map<string, Row>>>();
	/** By its rising column; null when it has to be rebuilt. */
	#rising: Row[] | null = null;

	constructor(definition: TableDefinition, rows: ReadonlyMap<string, Row> = new Map()) {
		this.definition = definition;
		this.#rows = new Map(rows);
	}

	get size(): number {
		return this.#rows.size;
	}
	rows(): Iterable<Row> {
		return this.#rows.values();
	}
	copy(): Table {
		return new Table(this.definition, this.#rows);
	}
	keyOf(row: Row): string {
		const { key } = this.definition;
		return key.length === 1 ? String(row[key[0] as string]) : key.map((column) => row[column]).join(' ');
	}
	find(key: string): Row | undefined {
		return this.#rows.get(key);
	}

	put(row: Row): void {
		const key = this.keyOf(row);
		this.#unlist(key);
		this.#rows.set(key, row);
		for (const [column, index] of this.#indexes) list(index, row[column], key, row);
		const rising = RISING[this.definition.name];
		if (!rising || !this.#rising) return;
		const last = this.#rising.at(-1);
		if (!last || (last[rising] as number) <= (row[rising] as number)) this.#rising.push(row);
		else this.#rising = null;
	}

	delete(key: string): void {
		this.#unlist(key);
		if (this.#rows.delete(key)) this.#rising = null;
	}

	clear(): void {
		this.#rows.clear();
		this.#indexes.clear();
		this.#rising = null;
	}

	#unlist(key: string): void {
		const before = this.#rows.get(key);
		if (before) for (const [column, index] of this.#indexes) index.get(before[column])?.delete(key);
	}

	/** The rows with that value. */
	where(column: string, value: unknown): Iterable<Row> {
		let index = this.#indexes.get(column);
		if (!index) {
			index = new Map();
			for (const [key, row] of this.#rows) list(index, row[column], key, row);
			this.#indexes.set(column, index);
		}
		return index.get(value)?.values() ?? [];
	}

	/** Rows among which are all with a larger value; null when the table does not rise by that column. */
	above(column: string, value: unknown): Iterable<Row> | null {
		if (RISING[this.definition.name] !== column || typeof value !== 'number') return null;
		this.#rising ??= [...this.#rows.values()].sort((one, other) => (one[column] as number) - (other[column] as number));
		let from = this.#rising.length;
		while (from > 0 && (this.#rising[from - 1]?.[column] as number) > value) from--;
		return this.#rising.slice(from);
	}
}

function list(index: Map<unknown, Map<string, Row>>, value: unknown, key: string, row: Row): void {
	let rows = index.get(value);
	if (!rows) index.set(value, (rows = new Map()));
	rows.set(key, row);
}
