/**
 * The part of SQL that the exchange uses, read into trees. The double runs the product's statements as they stand, so a
 * statement that changes is followed without a change here; a form that is not known throws.
 */

export type Expression =
	| { is: 'column'; source: string | null; name: string }
	| { is: 'parameter'; number: number }
	| { is: 'literal'; value: unknown }
	| { is: 'call'; name: string; of: readonly Expression[]; isDistinct?: boolean }
	| { is: 'operator'; operator: string; left: Expression; right: Expression }
	| { is: 'not'; of: Expression }
	| { is: 'null-test'; of: Expression; isNegated: boolean }
	| { is: 'among'; of: Expression; list: readonly Expression[] }
	| { is: 'among-rows'; of: readonly Expression[]; query: Select }
	| { is: 'any'; of: Expression; list: Expression }
	| { is: 'case'; subject: Expression | null; branches: readonly [Expression, Expression][]; other: Expression | null }
	| { is: 'cast'; of: Expression; type: string }
	| { is: 'list'; of: readonly Expression[] }
	| { is: 'element'; of: Expression; place: Expression }
	| { is: 'exists'; query: Select }
	| { is: 'scalar'; query: Select };

export interface Output {
	/** Null for all columns. */
	of: Expression | null;
	name: string;
}

export type Source = { alias: string; columns: readonly string[] | null; join: Join | null } & (
	| { is: 'table'; table: string }
	| { is: 'unnest'; lists: readonly Expression[]; isNumbered: boolean }
	| { is: 'series'; first: Expression; last: Expression }
	| { is: 'query'; query: Select }
);
export interface Join {
	isLeft: boolean;
	on: Expression | null;
	using: readonly string[];
}

export interface Select {
	is: 'select';
	isDistinct: boolean;
	outputs: readonly Output[];
	from: readonly Source[];
	where: Expression | null;
	groupBy: readonly Expression[];
	orderBy: readonly { of: Expression; isDescending: boolean }[];
	limit: Expression | null;
}
export interface Insert {
	is: 'insert';
	table: string;
	columns: readonly string[];
	values: readonly Expression[] | null;
	query: Select | null;
	/** Without settings the row stays as it is. */
	conflict: { key: readonly string[]; set: readonly [string, Expression][] } | null;
}
export interface Update {
	is: 'update';
	table: string;
	alias: string;
	from: readonly Source[];
	set: readonly [string, Expression][];
	where: Expression | null;
	returning: readonly Output[];
}
export interface Delete {
	is: 'delete';
	table: string;
	alias: string;
	using: readonly Source[];
	where: Expression | null;
}
export interface With {
	is: 'with';
	parts: readonly { name: string; statement: Statement }[];
	last: Statement;
}
/** Of transactions, and what only one connection notices. */
export interface Control {
	is: 'control';
	words: string;
	table: string | null;
}
export type Statement = Select | Insert | Update | Delete | With | Control;

const TOKEN =
	/\s+|--[^\n]*|('(?:[^']|'')*')|("[^"]*")|(\$\d+)|(\d+(?:\.\d+)?)|([a-z_][a-z0-9_]*)|(::|->>|!~~|<>|<=|>=|\|\||[-+*/%=<>(),.;[\]])/giy;

interface Token {
	kind: 'text' | 'quoted' | 'parameter' | 'number' | 'word' | 'sign';
	text: string;
}
const KINDS = ['text', 'quoted', 'parameter', 'number', 'word', 'sign'] as const;

function tokensOf(sql: string): Token[] {
	const tokens: Token[] = [];
	TOKEN.lastIndex = 0;
	while (TOKEN.lastIndex < sql.length) {
		const at = TOKEN.lastIndex;
		const match = TOKEN.exec(sql);
		if (!match) throw new Error(`the double cannot read ${sql.slice(at, at + 40)}`);
		const group = match.slice(1).findIndex((each) => each !== undefined);
		const kind = KINDS[group];
		if (kind) tokens.push({ kind, text: kind === 'word' ? match[0].toLowerCase() : match[0] });
	}
	return tokens;
}

/** Words that end a name without "as". */
const RESERVED = new Set(
	'from where group order limit on using join left and or not is in as set returning union when then else end case asc desc do with select values'.split(
		' ',
	),
);
const SUMS = new Set(['+', '-', '||', '->>']);
/** `!~~` is PostgreSQL's own name of `not like`. */
const COMPARISONS = new Set(['=', '<>', '<', '>', '<=', '>=', '!~~']);
/** Between numbers of milliseconds, which stand for intervals here. */
const INTERVALS: Record<string, number> = { millisecond: 1, second: 1_000, minute: 60_000, s: 1_000 };

/** @throws Error for a form that the exchange did not use so far */
export function parse(sql: string): Statement[] {
	return new Parser(sql).statements();
}

/** A condition or a default of the schema. */
export function parseExpression(sql: string): Expression {
	return new Parser(sql).wholeExpression();
}

class Parser {
	readonly #sql: string;
	readonly #tokens: Token[];
	#at = 0;

	constructor(sql: string) {
		this.#sql = sql;
		this.#tokens = tokensOf(sql);
	}

	statements(): Statement[] {
		const found: Statement[] = [];
		while (this.#at < this.#tokens.length) {
			found.push(this.#statement());
			if (!this.#take(';')) break;
		}
		if (this.#at < this.#tokens.length) this.#unknown();
		return found;
	}

	wholeExpression(): Expression {
		const found = this.#expression();
		if (this.#at < this.#tokens.length) this.#unknown();
		return found;
	}

	#unknown(): never {
		const rest = this.#tokens.slice(this.#at, this.#at + 8).map(({ text }) => text);
		throw new Error(`the double does not know "${rest.join(' ')}" in: ${this.#sql}`);
	}
	#peek(ahead = 0): string {
		const token = this.#tokens[this.#at + ahead];
		return token && token.kind !== 'text' && token.kind !== 'quoted' ? token.text : '';
	}
	#is(...texts: string[]): boolean {
		return texts.every((text, at) => this.#peek(at) === text);
	}
	#take(...texts: string[]): boolean {
		if (!this.#is(...texts)) return false;
		this.#at += texts.length;
		return true;
	}
	#expect(...texts: string[]): void {
		if (!this.#take(...texts)) this.#unknown();
	}
	#name(): string {
		const token = this.#tokens[this.#at++];
		if (token?.kind === 'word') return token.text;
		if (token?.kind === 'quoted') return token.text.slice(1, -1);
		this.#at--;
		return this.#unknown();
	}
	#listOf<T>(item: () => T): T[] {
		const items = [item()];
		while (this.#take(',')) items.push(item());
		return items;
	}
	#names(): string[] {
		this.#expect('(');
		const names = this.#listOf(() => this.#name());
		this.#expect(')');
		return names;
	}

	#statement(): Statement {
		if (this.#is('select')) return this.#select();
		if (this.#is('insert')) return this.#insert();
		if (this.#is('update')) return this.#update();
		if (this.#is('delete')) return this.#delete();
		if (this.#take('with')) {
			const parts = this.#listOf(() => {
				const name = this.#name();
				this.#expect('as', '(');
				const statement = this.#statement();
				this.#expect(')');
				return { name, statement };
			});
			return { is: 'with', parts, last: this.#statement() };
		}
		if (this.#take('truncate')) return { is: 'control', words: 'truncate', table: this.#name() };
		if (['begin', 'commit', 'rollback', 'set'].includes(this.#peek())) {
			const words: string[] = [];
			for (let token = this.#tokens[this.#at]; token && token.text !== ';'; token = this.#tokens[++this.#at])
				words.push(token.text);
			return { is: 'control', words: words.join(' '), table: null };
		}
		return this.#unknown();
	}

	#select(): Select {
		this.#expect('select');
		const isDistinct = this.#take('distinct');
		const outputs = this.#is('from') ? [] : this.#outputs();
		const from = this.#take('from') ? this.#sources() : [];
		const where = this.#take('where') ? this.#expression() : null;
		const groupBy = this.#take('group', 'by') ? this.#listOf(() => this.#expression()) : [];
		const orderBy = this.#take('order', 'by')
			? this.#listOf(() => ({ of: this.#expression(), isDescending: !this.#take('asc') && this.#take('desc') }))
			: [];
		const limit = this.#take('limit') ? this.#expression() : null;
		return { is: 'select', isDistinct, outputs, from, where, groupBy, orderBy, limit };
	}

	#outputs(): Output[] {
		return this.#listOf(() => {
			if (this.#take('*')) return { of: null, name: '*' };
			const of = this.#expression();
			return { of, name: this.#take('as') ? this.#name() : nameOf(of) };
		});
	}

	#sources(): Source[] {
		const sources = [this.#source(null)];
		for (;;) {
			if (this.#take(',')) {
				sources.push(this.#source(null));
				continue;
			}
			const isLeft = this.#take('left');
			if (!this.#take('join')) {
				if (isLeft) this.#unknown();
				return sources;
			}
			const source = this.#source(null);
			const on = this.#take('on') ? this.#expression() : null;
			const using = !on && this.#take('using') ? this.#names() : [];
			sources.push({ ...source, join: { isLeft, on, using } });
		}
	}

	#source(join: Join | null): Source {
		if (this.#take('(')) {
			const query = this.#select();
			this.#expect(')');
			const { alias, columns } = this.#alias('');
			const lists = listsIn(query);
			if (lists) return { is: 'unnest', lists, isNumbered: false, alias, columns: query.outputs.map(nameIn), join };
			return { is: 'query', query, alias, columns, join };
		}
		if (this.#take('unnest', '(')) {
			const lists = this.#listOf(() => this.#expression());
			this.#expect(')');
			const isNumbered = this.#take('with', 'ordinality');
			const { alias, columns } = this.#alias('unnest');
			return { is: 'unnest', lists, isNumbered, alias, columns, join };
		}
		if (this.#take('generate_series', '(')) {
			const first = this.#expression();
			this.#expect(',');
			const last = this.#expression();
			this.#expect(')');
			const { alias, columns } = this.#alias('generate_series');
			return { is: 'series', first, last, alias, columns, join };
		}
		const table = this.#name();
		const { alias, columns } = this.#alias(table);
		return { is: 'table', table, alias, columns, join };
	}

	#alias(fallback: string): { alias: string; columns: readonly string[] | null } {
		const isNamed = this.#take('as') || (this.#tokens[this.#at]?.kind === 'word' && !RESERVED.has(this.#peek()));
		const alias = isNamed ? this.#name() : fallback;
		return { alias, columns: isNamed && this.#is('(') ? this.#names() : null };
	}

	#insert(): Insert {
		this.#expect('insert', 'into');
		const table = this.#name();
		const columns = this.#names();
		let values: Expression[] | null = null;
		let query: Select | null = null;
		if (this.#take('values')) {
			this.#expect('(');
			values = this.#listOf(() => this.#expression());
			this.#expect(')');
		} else query = this.#select();
		let conflict: Insert['conflict'] = null;
		if (this.#take('on', 'conflict')) {
			const key = this.#names();
			this.#expect('do');
			if (this.#take('nothing')) conflict = { key, set: [] };
			else {
				this.#expect('update', 'set');
				conflict = { key, set: this.#settings() };
			}
		}
		return { is: 'insert', table, columns, values, query, conflict };
	}

	#settings(): [string, Expression][] {
		return this.#listOf(() => {
			const name = this.#name();
			this.#expect('=');
			return [name, this.#expression()] as [string, Expression];
		});
	}

	#update(): Update {
		this.#expect('update');
		const table = this.#name();
		const { alias } = this.#alias(table);
		this.#expect('set');
		const set = this.#settings();
		const from = this.#take('from') ? this.#sources() : [];
		const where = this.#take('where') ? this.#expression() : null;
		return { is: 'update', table, alias, from, set, where, returning: this.#take('returning') ? this.#outputs() : [] };
	}

	#delete(): Delete {
		this.#expect('delete', 'from');
		const table = this.#name();
		const { alias } = this.#alias(table);
		const using = this.#take('using') ? this.#sources() : [];
		return { is: 'delete', table, alias, using, where: this.#take('where') ? this.#expression() : null };
	}

	#expression(): Expression {
		let left = this.#conjunction();
		while (this.#take('or')) left = { is: 'operator', operator: 'or', left, right: this.#conjunction() };
		return left;
	}
	#conjunction(): Expression {
		let left = this.#negation();
		while (this.#take('and')) left = { is: 'operator', operator: 'and', left, right: this.#negation() };
		return left;
	}
	#negation(): Expression {
		return this.#take('not') ? { is: 'not', of: this.#negation() } : this.#comparison();
	}
	#comparison(): Expression {
		const left = this.#sum();
		if (this.#take('is', 'not', 'null')) return { is: 'null-test', of: left, isNegated: true };
		if (this.#take('is', 'null')) return { is: 'null-test', of: left, isNegated: false };
		if (this.#take('in', '(')) {
			const of = left.is === 'list' ? left.of : [left];
			const found: Expression = this.#is('select')
				? { is: 'among-rows', of, query: this.#select() }
				: { is: 'among', of: left, list: this.#listOf(() => this.#expression()) };
			this.#expect(')');
			return found;
		}
		if (this.#take('is', 'distinct', 'from'))
			return { is: 'operator', operator: 'is distinct from', left, right: this.#sum() };
		const operator = this.#peek();
		if (!COMPARISONS.has(operator)) return left;
		this.#at++;
		if (operator === '=' && this.#take('any', '(')) {
			const list = this.#expression();
			this.#expect(')');
			return { is: 'any', of: left, list };
		}
		if (operator === '<>' && this.#take('all', '(')) {
			const list = this.#expression();
			this.#expect(')');
			return { is: 'not', of: { is: 'any', of: left, list } };
		}
		return { is: 'operator', operator, left, right: this.#sum() };
	}
	#sum(): Expression {
		let left = this.#product();
		for (;;) {
			const operator = this.#peek();
			if (!SUMS.has(operator)) return left;
			this.#at++;
			left = { is: 'operator', operator, left, right: this.#product() };
		}
	}
	#product(): Expression {
		let left = this.#unary();
		for (;;) {
			const operator = this.#peek();
			if (operator !== '*' && operator !== '/' && operator !== '%') return left;
			this.#at++;
			left = { is: 'operator', operator, left, right: this.#unary() };
		}
	}
	#unary(): Expression {
		if (this.#take('-'))
			return { is: 'operator', operator: '-', left: { is: 'literal', value: 0 }, right: this.#unary() };
		let of = this.#primary();
		if (this.#take('[')) {
			of = { is: 'element', of, place: this.#expression() };
			this.#expect(']');
		}
		while (this.#take('::')) {
			let type = this.#name();
			if (this.#take('[', ']')) type += '[]';
			of = { is: 'cast', of, type };
		}
		return of;
	}

	#primary(): Expression {
		const token = this.#tokens[this.#at];
		if (!token) return this.#unknown();
		if (token.kind === 'text') {
			this.#at++;
			return { is: 'literal', value: token.text.slice(1, -1).replaceAll("''", "'") };
		}
		if (token.kind === 'parameter') {
			this.#at++;
			return { is: 'parameter', number: Number(token.text.slice(1)) };
		}
		if (token.kind === 'number') {
			this.#at++;
			return { is: 'literal', value: Number(token.text) };
		}
		if (this.#take('(')) {
			if (this.#is('select')) {
				const query = this.#select();
				this.#expect(')');
				return { is: 'scalar', query };
			}
			const items = this.#listOf(() => this.#expression());
			this.#expect(')');
			return items.length === 1 ? (items[0] as Expression) : { is: 'list', of: items };
		}
		if (token.kind === 'word' && RESERVED.has(token.text) && token.text !== 'case') return this.#unknown();
		return this.#word();
	}

	#word(): Expression {
		if (this.#take('null')) return { is: 'literal', value: null };
		if (this.#take('true')) return { is: 'literal', value: true };
		if (this.#take('false')) return { is: 'literal', value: false };
		if (this.#take('case')) return this.#case();
		if (this.#is('interval')) {
			this.#at++;
			const [count = '', unit = ''] = this.#tokens[this.#at++]?.text.slice(1, -1).split(' ') ?? [];
			const ms = INTERVALS[unit.replace(/(?<=\w)s$/, '')];
			if (ms === undefined) return this.#unknown();
			return { is: 'literal', value: Number(count) * ms };
		}
		if (this.#take('extract', '(', 'epoch', 'from')) {
			const of = this.#expression();
			this.#expect(')');
			return { is: 'operator', operator: '/', left: of, right: { is: 'literal', value: 1_000 } };
		}
		if (this.#take('exists', '(')) {
			const query = this.#select();
			this.#expect(')');
			return { is: 'exists', query };
		}
		if (this.#take('array', '[')) {
			const of = this.#listOf(() => this.#expression());
			this.#expect(']');
			return { is: 'list', of };
		}
		const name = this.#name();
		if (this.#take('.')) return { is: 'column', source: name, name: this.#name() };
		if (!this.#take('(')) return { is: 'column', source: null, name };
		if (this.#take('*', ')')) return { is: 'call', name, of: [] };
		const isDistinct = this.#take('distinct');
		const of = this.#is(')') ? [] : this.#listOf(() => this.#expression());
		this.#expect(')');
		return { is: 'call', name, of, isDistinct };
	}

	#case(): Expression {
		const subject = this.#is('when') ? null : this.#expression();
		const branches: [Expression, Expression][] = [];
		while (this.#take('when')) {
			const condition = this.#expression();
			this.#expect('then');
			branches.push([condition, this.#expression()]);
		}
		const other = this.#take('else') ? this.#expression() : null;
		this.#expect('end');
		return { is: 'case', subject, branches, other };
	}
}

/** The lists that a query without a source selects row by row; null for any other query. */
function listsIn({ outputs, from }: Select): Expression[] | null {
	const lists = outputs.flatMap(({ of }) => (of?.is === 'call' && of.name === 'unnest' ? of.of : []));
	return from.length === 0 && lists.length > 0 && lists.length === outputs.length ? lists : null;
}

const nameIn = ({ name }: Output): string => name;

function nameOf(expression: Expression): string {
	if (expression.is === 'column' || expression.is === 'call') return expression.name;
	return expression.is === 'cast' ? nameOf(expression.of) : '?column?';
}
