/**
 * Executes statements on tables. A statement reads what is committed, or a snapshot, and answers its rows and what it
 * would change; the double decides when and whether that becomes durable.
 */
import type { Delete, Expression, Insert, Output, Select, Source, Statement, Update } from './syntax.ts';
import type { Row, Table, TableDefinition } from './tables.ts';

/** An error as the driver tells it. */
export class DatabaseError extends Error {
	readonly code: string;
	readonly constraint: string | undefined;
	constructor(code: string, message: string, constraint?: string) {
		super(message);
		this.code = code;
		this.constraint = constraint;
	}
}

export type Change = { table: Table; row: Row } | { table: Table; deleted: string };

/** What a statement runs in. */
export interface Surroundings {
	table(name: string): Table;
	parameters: readonly unknown[];
	/** The database's clock, milliseconds since 1970. */
	clockMs(): number;
	fraction(): number;
	exportSnapshot(): string;
	/** Whether the month's partition of that name is attached. */
	hasPartition(name: string): boolean;
	/** The name of the connection's process. */
	applicationName: string;
	/** What statements say of all processes. */
	nameOfProcesses: string;
}

export interface Answer {
	rows: Record<string, unknown>[];
	rowCount: number;
	changes: Change[];
}

interface Scope {
	/** Of each source, in order. */
	rows: readonly Row[];
	/** Of a group, where the outputs aggregate. */
	group?: readonly (readonly Row[])[];
}
interface Known {
	alias: string;
	columns: readonly string[];
	types: Readonly<Record<string, string>>;
}

const AGGREGATES = new Set(['count', 'sum', 'min', 'max', 'bool_and']);

export function execute(statement: Statement, surroundings: Surroundings): Answer {
	return new Execution(surroundings).run(statement);
}

/** Whether an update of that table finds a row to change, and so takes its lock. */
export function findsRow(statement: Statement, table: string, surroundings: Surroundings): boolean {
	const updates = statement.is === 'with' ? statement.parts.map((part) => part.statement) : [statement];
	return updates.some(
		(each) => each.is === 'update' && each.table === table && new Execution(surroundings).matches(each),
	);
}

class Execution {
	readonly #in: Surroundings;
	/** The rows of the parts of a `with`. */
	readonly #parts = new Map<string, Record<string, unknown>[]>();
	readonly #changes: Change[] = [];

	constructor(surroundings: Surroundings) {
		this.#in = surroundings;
	}

	run(statement: Statement): Answer {
		if (statement.is === 'with') {
			for (const { name, statement: part } of statement.parts) this.#parts.set(name, this.#rowsOf(part).rows);
			return { ...this.#rowsOf(statement.last), changes: this.#changes };
		}
		return { ...this.#rowsOf(statement), changes: this.#changes };
	}

	matches(update: Update): boolean {
		return this.#found(update).rows.length > 0;
	}

	#rowsOf(statement: Statement): { rows: Record<string, unknown>[]; rowCount: number } {
		switch (statement.is) {
			case 'select': {
				const rows = this.#select(statement);
				return { rows, rowCount: rows.length };
			}
			case 'insert':
				return { rows: [], rowCount: this.#insert(statement) };
			case 'update':
				return this.#update(statement);
			case 'delete':
				return { rows: [], rowCount: this.#delete(statement) };
			default:
				throw new Error(`the double runs no ${statement.is} within a statement`);
		}
	}

	#known(source: Source): Known {
		if (source.is === 'table') {
			const part = this.#parts.get(source.table);
			if (part) return { alias: source.alias, columns: Object.keys(part[0] ?? {}), types: {} };
			return knownOf(this.#in.table(source.table).definition, source.alias);
		}
		if (source.is === 'query')
			return { alias: source.alias, columns: source.query.outputs.map(({ name }) => name), types: {} };
		return { alias: source.alias, columns: source.columns ?? [source.alias], types: {} };
	}

	/** The rows of a source; of a table, only some of those that the condition leaves out. */
	#rows(source: Source, where: Expression | null, isOnly: boolean): Iterable<Row> {
		if (source.is === 'query') return this.#select(source.query);
		if (source.is === 'unnest') {
			const lists = source.lists.map((list) => this.#value(list, [], { rows: [] }) as readonly unknown[]);
			const columns = source.columns ?? [source.alias];
			return Array.from({ length: lists[0]?.length ?? 0 }, (_, at) =>
				Object.fromEntries(
					columns.map((column, index) => [column, index < lists.length ? (lists[index]?.[at] ?? null) : at + 1]),
				),
			);
		}
		if (source.is === 'series') {
			const [first, last] = [source.first, source.last].map(
				(each) => this.#value(each, [], { rows: [] }) as number | null,
			);
			const column = source.columns?.[0] ?? source.alias;
			if (first == null || last == null) return [];
			return Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => ({ [column]: first + at }));
		}
		const part = this.#parts.get(source.table);
		if (part) return part;
		const table = this.#in.table(source.table);
		if (!where || !isOnly) return table.rows();
		for (const condition of conjunctsOf(where)) {
			if (condition.is !== 'operator' || condition.left.is !== 'column' || !isConstant(condition.right)) continue;
			const { name } = condition.left;
			if (condition.operator === '=') return table.where(name, this.#value(condition.right, [], { rows: [] }));
			const above = condition.operator === '>' && table.above(name, this.#value(condition.right, [], { rows: [] }));
			if (above) return above;
		}
		return table.rows();
	}

	#joined(from: readonly Source[], where: Expression | null): { known: Known[]; rows: Row[][] } {
		const known = from.map((source) => this.#known(source));
		const [only] = from;
		if (only && from.length === 1) {
			const found: Row[][] = [];
			for (const row of this.#rows(only, where, true)) {
				const rows = [row];
				if (!where || this.#value(where, known, { rows }) === true) found.push(rows);
			}
			return { known, rows: found };
		}
		let rows: Row[][] = [[]];
		for (const [at, source] of from.entries()) {
			const right = [...this.#rows(source, where, false)];
			const { join } = source;
			const sofar = known.slice(0, at + 1);
			const using = join?.using ?? [];
			const index = using.length > 0 ? Map.groupBy(right, (row) => using.map((name) => row[name]).join(' ')) : null;
			rows = rows.flatMap((left) => {
				const mayMatch = index ? (index.get(using.map((name) => valueIn(left, known, name)).join(' ')) ?? []) : right;
				const pairs = mayMatch
					.map((row) => [...left, row])
					.filter((pair) => !join?.on || this.#value(join.on, sofar, { rows: pair }) === true);
				return pairs.length === 0 && join?.isLeft ? [[...left, {}]] : pairs;
			});
		}
		if (where) rows = rows.filter((each) => this.#value(where, known, { rows: each }) === true);
		return { known, rows };
	}

	#select(select: Select): Record<string, unknown>[] {
		const { known, rows } = this.#joined(select.from, select.where);
		const limit = select.limit ? (this.#value(select.limit, [], { rows: [] }) as number) : Number.POSITIVE_INFINITY;
		const isGrouped = select.groupBy.length > 0 || select.outputs.some(({ of }) => of && aggregates(of));
		let scopes: Scope[] = rows.map((each) => ({ rows: each }));
		if (isGrouped) {
			const groups = Map.groupBy(rows, (each) =>
				select.groupBy.map((by) => this.#value(by, known, { rows: each })).join(' '),
			);
			if (select.groupBy.length === 0 && groups.size === 0) groups.set('', []);
			scopes = [...groups.values()].map((group) => ({ rows: group[0] ?? [], group }));
		}
		if (select.orderBy.length > 0) {
			const sorted = scopes.map((scope) => ({
				scope,
				by: select.orderBy.map(({ of }) => this.#value(of, known, scope)),
			}));
			sorted.sort((one, other) => {
				for (const [at, { isDescending }] of select.orderBy.entries()) {
					const order = compared(one.by[at], other.by[at]);
					if (order !== 0) return isDescending ? -order : order;
				}
				return 0;
			});
			scopes = sorted.map(({ scope }) => scope);
		}
		let found = scopes.map((scope) => this.#shown(select.outputs, known, scope));
		if (select.isDistinct) found = [...new Map(found.map((row) => [JSON.stringify(row), row])).values()];
		return found.slice(0, limit);
	}

	/** As the driver gives it. */
	#shown(outputs: readonly Output[], known: readonly Known[], scope: Scope): Record<string, unknown> {
		const row: Record<string, unknown> = {};
		for (const { of, name } of outputs) {
			if (of) row[name] = driverValue(this.#value(of, known, scope), typeOf(of, known));
			else
				for (const [at, { columns, types }] of known.entries())
					for (const column of columns) row[column] = driverValue(scope.rows[at]?.[column] ?? null, types[column]);
		}
		return row;
	}

	#insert({ table: name, columns, values, query, conflict }: Insert): number {
		// Requests are written into the partition of their day, whose rows the parent's table holds.
		const table = this.#in.table(/^request_key_\d$/.test(name) ? 'request_key' : name);
		const known = knownOf(table.definition, name);
		const given = values
			? [values.map((value) => this.#value(value, [], { rows: [] }))]
			: this.#selectValues(query as Select);
		const added = new Set<string>();
		for (const cells of given) {
			const row: Record<string, unknown> = {};
			for (const column of table.definition.columns) {
				const at = columns.indexOf(column.name);
				if (at >= 0) row[column.name] = cells[at] ?? null;
				else row[column.name] = column.default ? this.#value(column.default, [], { rows: [] }) : null;
			}
			const key = table.keyOf(row);
			const before = table.find(key);
			if ((before && !conflict) || added.has(key))
				throw new DatabaseError('23505', `duplicate key in ${name}: ${key}`, table.definition.keyName);
			added.add(key);
			if (before && conflict) {
				const scope = { rows: [before, row] };
				const both = [known, { ...known, alias: 'excluded' }];
				const set = conflict.set.map(([column, value]) => [column, this.#value(value, both, scope)]);
				this.#put(table, { ...before, ...Object.fromEntries(set) });
			} else this.#put(table, row);
		}
		return given.length;
	}

	/** A query's cells in their order: its names may be the same. */
	#selectValues(query: Select): unknown[][] {
		const { known, rows } = this.#joined(query.from, query.where);
		return rows.map((each) => query.outputs.map(({ of }) => this.#value(of as Expression, known, { rows: each })));
	}

	#put(table: Table, row: Row): void {
		const { name, columns, checks } = table.definition;
		const known = [knownOf(table.definition, name)];
		for (const column of columns) {
			if (column.generated)
				(row as Record<string, unknown>)[column.name] = this.#value(column.generated, known, { rows: [row] });
			if (column.isRequired && row[column.name] === null)
				throw new DatabaseError('23502', `null in ${name}.${column.name}`);
		}
		for (const check of checks) {
			if (this.#value(check.condition, known, { rows: [row] }) === false)
				throw new DatabaseError('23514', `a row of ${name} breaks ${check.name}`, check.name);
		}
		this.#changes.push({ table, row });
	}

	/** The rows to change, each with those of the other sources, by one of whose columns they are looked up. */
	#found({ table, alias, from, where }: Update): { known: Known[]; rows: Row[][] } {
		const self: Source = { is: 'table', table, alias, columns: null, join: null };
		if (from.length === 0) return this.#joined([self], where);
		const others = this.#joined(from, null);
		const known = [this.#known(self), ...others.known];
		const conditions = where ? conjunctsOf(where) : [];
		for (const condition of conditions) {
			if (condition.is !== 'operator' || condition.operator !== '=' || condition.left.is !== 'column') continue;
			const { left, right } = condition;
			const pairs = others.rows.flatMap((rest) => {
				const value = this.#value(right, others.known, { rows: rest });
				return [...this.#in.table(table).where(left.name, value)].map((row) => [row, ...rest]);
			});
			return { known, rows: pairs.filter((each) => conditions.every((is) => this.#value(is, known, { rows: each }))) };
		}
		throw new Error(`the double looks up no row of ${table} by ${alias}`);
	}

	#update(update: Update): { rows: Record<string, unknown>[]; rowCount: number } {
		const table = this.#in.table(update.table);
		const { known, rows: found } = this.#found(update);
		const rows = found.map((each) => {
			const set = update.set.map(([column, value]) => [column, this.#value(value, known, { rows: each })]);
			const after = { ...each[0], ...Object.fromEntries(set) };
			this.#put(table, after);
			return this.#shown(update.returning, known, { rows: [after, ...each.slice(1)] });
		});
		return { rows: update.returning.length > 0 ? rows : [], rowCount: found.length };
	}

	#delete({ table: name, alias, using, where }: Delete): number {
		const table = this.#in.table(name);
		const self: Source = { is: 'table', table: name, alias, columns: null, join: null };
		const { rows } = this.#joined([self, ...using], where);
		const keys = new Set(rows.map(([row]) => table.keyOf(row as Row)));
		for (const deleted of keys) this.#changes.push({ table, deleted });
		return keys.size;
	}

	#value(expression: Expression, known: readonly Known[], scope: Scope): unknown {
		switch (expression.is) {
			case 'literal':
				return expression.value;
			case 'parameter': {
				const value = this.#in.parameters[expression.number - 1] ?? null;
				return value === this.#in.nameOfProcesses ? this.#in.applicationName : value;
			}
			case 'column':
				return columnIn(expression, known, scope.rows);
			case 'cast':
				return cast(this.#value(expression.of, known, scope), expression.type);
			case 'not': {
				const value = this.#value(expression.of, known, scope);
				return value === null ? null : !value;
			}
			case 'null-test':
				return (this.#value(expression.of, known, scope) === null) !== expression.isNegated;
			case 'among':
				return this.#among(
					this.#value(expression.of, known, scope),
					expression.list.map((each) => this.#value(each, known, scope)),
				);
			case 'any':
				return this.#among(
					this.#value(expression.of, known, scope),
					(this.#value(expression.list, known, scope) as readonly unknown[] | null) ?? [null],
				);
			case 'among-rows': {
				const asked = expression.of.map((each) => this.#value(each, known, scope)).join(' ');
				const { known: inner, rows } = this.#joined(expression.query.from, expression.query.where);
				return rows.some(
					(each) => inner.flatMap(({ columns }, at) => columns.map((name) => each[at]?.[name])).join(' ') === asked,
				);
			}
			case 'list':
				return expression.of.map((each) => this.#value(each, known, scope));
			case 'element': {
				const list = this.#value(expression.of, known, scope) as readonly unknown[] | null;
				return list?.[(this.#value(expression.place, known, scope) as number) - 1] ?? null;
			}
			case 'case':
				return this.#case(expression, known, scope);
			case 'exists':
				return this.#joined(expression.query.from, expression.query.where).rows.length > 0;
			case 'scalar':
				return Object.values(this.#select(expression.query)[0] ?? { none: null })[0];
			case 'call':
				return AGGREGATES.has(expression.name)
					? this.#aggregate(expression, known, scope.group ?? [])
					: this.#call(expression.name, expression.of, known, scope);
			case 'operator':
				return this.#operator(expression, known, scope);
		}
	}

	#among(value: unknown, list: readonly unknown[]): boolean | null {
		if (value === null) return null;
		// A list takes the type of what is compared with it, and the driver reads lists of whole numbers as texts.
		const isSame = (each: unknown) => each === value || (typeof value === 'number' && each === String(value));
		if (list.some(isSame)) return true;
		return list.includes(null) ? null : false;
	}

	#case({ subject, branches, other }: Expression & { is: 'case' }, known: readonly Known[], scope: Scope): unknown {
		const asked = subject ? this.#value(subject, known, scope) : true;
		for (const [condition, value] of branches)
			if (this.#value(condition, known, scope) === asked) return this.#value(value, known, scope);
		return other ? this.#value(other, known, scope) : null;
	}

	#operator(
		{ operator, left, right }: Expression & { is: 'operator' },
		known: readonly Known[],
		scope: Scope,
	): unknown {
		const one = this.#value(left, known, scope);
		if (operator === 'and') {
			if (one === false) return false;
			const other = this.#value(right, known, scope);
			return other === false ? false : one === null || other === null ? null : true;
		}
		if (operator === 'or') {
			if (one === true) return true;
			const other = this.#value(right, known, scope);
			return other === true ? true : one === null || other === null ? null : false;
		}
		const other = this.#value(right, known, scope);
		if (operator === 'is distinct from') return one !== other;
		if (one === null || other === null) return null;
		switch (operator) {
			case '->>':
				return textIn(one, String(other));
			case '=':
				return one === other;
			case '<>':
				return one !== other;
			case '<':
				return (one as number) < (other as number);
			case '>':
				return (one as number) > (other as number);
			case '<=':
				return (one as number) <= (other as number);
			case '>=':
				return (one as number) >= (other as number);
			case '+':
				return (one as number) + (other as number);
			case '-':
				return (one as number) - (other as number);
			case '*':
				return (one as number) * (other as number);
			case '/':
				return (one as number) / (other as number);
			case '%':
				return (one as number) % (other as number);
			case '!~~':
				return !isLike(String(one), String(other));
			case '||':
				return `${one}${other}`;
			default:
				throw new Error(`the double has no operator ${operator}`);
		}
	}

	#aggregate(
		{ name, of }: Expression & { is: 'call' },
		known: readonly Known[],
		group: readonly (readonly Row[])[],
	): unknown {
		const [first] = of;
		if (!first) return group.length;
		const values = group.map((rows) => this.#value(first, known, { rows })).filter((value) => value !== null);
		if (name === 'count') return values.length;
		if (values.length === 0) return null;
		if (name === 'bool_and') return values.every((value) => value === true);
		const numbers = values as number[];
		if (name === 'sum') return numbers.reduce((sum, value) => sum + value, 0);
		return numbers.reduce((best, value) => ((name === 'min') === value < best ? value : best));
	}

	#call(name: string, of: readonly Expression[], known: readonly Known[], scope: Scope): unknown {
		const values = of.map((each) => this.#value(each, known, scope));
		switch (name) {
			case 'clock_timestamp':
			case 'now':
				return this.#in.clockMs();
			case 'random':
				return this.#in.fraction();
			case 'floor':
				return Math.floor(values[0] as number);
			case 'coalesce':
				return values.find((value) => value !== null) ?? null;
			case 'pg_export_snapshot':
				return this.#in.exportSnapshot();
			case 'array_length': {
				const [list, dimension] = values as [readonly unknown[] | null, number];
				if (dimension !== 1) throw new Error(`the double counts no dimension ${dimension}`);
				return list === null || list.length === 0 ? null : list.length;
			}
			case 'current_database':
				return 'backlay';
			case 'to_regclass':
				return this.#in.hasPartition(values[0] as string) ? values[0] : null;
			default:
				throw new Error(`the double has no function ${name}`);
		}
	}
}

const known = new WeakMap<TableDefinition, Map<string, Known>>();

function knownOf(definition: TableDefinition, alias: string): Known {
	let ofTable = known.get(definition);
	if (!ofTable) known.set(definition, (ofTable = new Map()));
	let found = ofTable.get(alias);
	if (!found) {
		const columns = definition.columns.map(({ name }) => name);
		const types = Object.fromEntries(definition.columns.map(({ name, type }) => [name, type]));
		ofTable.set(alias, (found = { alias, columns, types }));
	}
	return found;
}

function columnIn(
	{ source, name }: Expression & { is: 'column' },
	known: readonly Known[],
	rows: readonly Row[],
): unknown {
	for (const [at, { alias, columns }] of known.entries())
		if ((source === null || source === alias) && columns.includes(name)) return rows[at]?.[name] ?? null;
	throw new Error(`the double knows no column ${name}`);
}

function valueIn(rows: readonly Row[], known: readonly Known[], name: string): unknown {
	return columnIn({ is: 'column', source: null, name }, known, rows);
}

function typeOf(expression: Expression, known: readonly Known[]): string | undefined {
	if (expression.is !== 'column') return undefined;
	return known.find(({ alias, columns }) => (expression.source ?? alias) === alias && columns.includes(expression.name))
		?.types[expression.name];
}

/** Values are read each time, so nothing that the product changes changes a row. */
function driverValue(value: unknown, type: string | undefined): unknown {
	if (value === null) return null;
	if (type === 'jsonb') return JSON.parse(value as string);
	// The driver is told how to read whole numbers, and not how to read lists of them.
	if (type === 'bigint[]') return (value as readonly unknown[]).map((each) => (each === null ? null : String(each)));
	return Array.isArray(value) ? [...value] : value;
}

function cast(value: unknown, type: string): unknown {
	if (value === null) return null;
	if (type === 'text[]' && typeof value === 'string') return value === '{}' ? [] : value.slice(1, -1).split(',');
	if (type === 'bigint[]' && typeof value === 'string')
		return value
			.slice(1, -1)
			.split(',')
			.map((each) => (each === 'null' ? null : Number(each)));
	if ((type === 'bigint' || type === 'int') && typeof value === 'number') return Math.round(value);
	return value;
}

const conjunctsOf = (condition: Expression): Expression[] =>
	condition.is === 'operator' && condition.operator === 'and'
		? [...conjunctsOf(condition.left), ...conjunctsOf(condition.right)]
		: [condition];

const isConstant = (expression: Expression): boolean =>
	expression.is === 'parameter' ||
	expression.is === 'literal' ||
	(expression.is === 'cast' && isConstant(expression.of));

/** A field of a jsonb value, as text. */
function textIn(json: unknown, field: string): string | null {
	const value = (json as Record<string, unknown>)[field] ?? null;
	return value === null || typeof value === 'string' ? value : JSON.stringify(value);
}

function aggregates(expression: Expression): boolean {
	if (expression.is === 'call') return AGGREGATES.has(expression.name);
	return expression.is === 'cast' && aggregates(expression.of);
}

function compared(one: unknown, other: unknown): number {
	if (one === other) return 0;
	if (one === null) return 1;
	if (other === null) return -1;
	return (one as number) < (other as number) ? -1 : 1;
}

/** A pattern that begins or ends with `%`, or is the text itself. */
function isLike(text: string, pattern: string): boolean {
	if (pattern.startsWith('%')) return text.endsWith(pattern.slice(1));
	return pattern.endsWith('%') ? text.startsWith(pattern.slice(0, -1)) : text === pattern;
}
