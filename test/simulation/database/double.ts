/**
 * A double of PostgreSQL in simulated time. It keeps what matters to the exchange: a statement is whole or not there, and
 * is visible when it is committed; updates of the lease wait for one another and look again; what was received goes on when
 * its process has died or given up; a connection that ends rolls back; a database that crashes leaves every commit that was
 * on its way done or undone. test/simulation/conformance.test.ts compares it with PostgreSQL.
 */
import type { Month } from '#server/platform/postgres/months.ts';
import { Host } from '../host.ts';
import type { SeededNumbers } from '../seeded-numbers.ts';
import type { SimulatedTime } from '../simulated-time.ts';
import { type Answer, type Change, DatabaseError, execute, findsRow, type Surroundings } from './execute.ts';
import type { Parsed } from './statements.ts';
import type { Control, Statement } from './syntax.ts';
import { type Row, Table, type TableDefinition, tableDefinitions } from './tables.ts';

const USUAL_COMMIT_MS = 0.6;
const LONGEST_COMMIT_MS = 30;
/** Of each process's last statements. */
const TIMES_KEPT = 100;

const ACTIVITY: TableDefinition = {
	name: 'pg_stat_activity',
	columns: ['pid', 'backend_start', 'state_change', 'application_name', 'datname'].map((name) => ({
		name,
		type: 'text',
		default: null,
		generated: null,
		isRequired: true,
	})),
	key: ['pid'],
	keyName: '',
	checks: [],
};

type Tables = ReadonlyMap<string, Table>;

interface Transaction {
	/** What it reads; null for what is committed. */
	snapshot: Tables | null;
	exported: string | null;
	isBroken: boolean;
}

/** A connection, as the database sees it. */
export class Session {
	readonly pid: number;
	readonly startedAtMs: number;
	readonly applicationName: string;
	/** Tells the other side that the connection has ended. */
	readonly onEnded: (error: Error) => void;
	/** When a statement began or ended last. */
	changedAtMs: number;
	isOpen = true;
	/** What was on its way when the connection was reset is lost. */
	isReset = false;
	/** Closed by the other side while a statement ran. */
	isLeft = false;
	isRunning = false;
	transaction: Transaction | null = null;

	constructor(pid: number, startedAtMs: number, applicationName: string, onEnded: (error: Error) => void) {
		this.pid = pid;
		this.startedAtMs = startedAtMs;
		this.changedAtMs = startedAtMs;
		this.applicationName = applicationName;
		this.onEnded = onEnded;
	}
}

export interface Sent {
	parsed: Parsed;
	parameters: readonly unknown[];
}
export type Reply = (outcome: { answer: Answer } | { error: DatabaseError }) => void;

interface Committing {
	session: Session;
	answer: Answer;
	statement: Statement;
	isCancelled: boolean;
	judgedAtMs: number;
}

export class DatabaseDouble {
	readonly host = new Host('database', 0);
	/** Told of what is about to be committed, and when its conditions were judged. */
	onCommit: (changes: readonly Change[], session: Session, judgedAtMs: number) => void = () => {};
	/** Told of a batch whose rows break a constraint. */
	onRejected: (error: DatabaseError, session: Session) => void = () => {};
	/** When the last statements of a process came, by the name of its connections. */
	readonly #heardAtMs = new Map<string, number[]>();
	/** When its clock was set back last, by the simulation's clock. */
	clockSetBackAtMs = Number.NEGATIVE_INFINITY;
	/** Those with partitions. */
	months: readonly Month[] = [];
	/** Of this moment on commits take longer, until then. */
	slowUntilMs = 0;
	slowMs = 0;
	readonly #time: SimulatedTime;
	readonly #numbers: SeededNumbers;
	/** The name that statements give for the process that sends them. */
	readonly #nameOfProcesses: string;
	readonly #tables: Tables = new Map(tableDefinitions().map((definition) => [definition.name, new Table(definition)]));
	readonly #sessions = new Set<Session>();
	readonly #snapshots = new Map<string, Tables>();
	readonly #committing = new Set<Committing>();
	/** Holds the row of the lease. */
	#lease: Committing | null = null;
	#waiting: (() => void)[] = [];
	#count = 0;
	#downUntilMs = 0;

	constructor(time: SimulatedTime, numbers: SeededNumbers, nameOfProcesses: string) {
		this.#time = time;
		this.#numbers = numbers;
		this.#nameOfProcesses = nameOfProcesses;
	}

	get isDown(): boolean {
		return this.#downUntilMs > this.#time.nowMs;
	}
	clockMs(): number {
		return this.#time.wallMs(this.host) + (this.#time.nowMs % 1);
	}
	table(name: string): Table {
		return this.#tableIn(this.#tables, name);
	}
	sessions(): Iterable<Session> {
		return this.#sessions;
	}

	/** Writes rows before the simulation begins. */
	fill(name: string, row: Row): void {
		const { definition } = this.table(name);
		const byDefault = { is: 'insert', table: name, columns: Object.keys(row), query: null, conflict: null } as const;
		const values = Object.values(row).map((value) => ({ is: 'literal', value }) as const);
		const { changes } = execute({ ...byDefault, values }, this.#surroundings(this.#tables, '', []));
		if (definition.name === name) this.#apply(changes);
	}

	/** Reads at once what is committed. */
	read(parsed: Parsed, parameters: readonly unknown[]): Record<string, unknown>[] {
		const [statement] = parsed.statements;
		return execute(statement as Statement, this.#surroundings(this.#tables, '', parameters)).rows;
	}

	#tableIn(tables: Tables, name: string): Table {
		const table = tables.get(name);
		if (table) return table;
		if (name === ACTIVITY.name) return this.#activity();
		const parent = this.#hasPartition(name) ? tables.get(name.slice(0, -'_2026_05'.length)) : undefined;
		if (parent) return parent;
		const [, slot] = /^request_key_(\d)$/.exec(name) ?? [];
		const requests = tables.get('request_key');
		if (slot === undefined || !requests) throw new Error(`the double has no table ${name}`);
		const part = [...requests.rows()].filter((row) => row['slot'] === Number(slot));
		return new Table(requests.definition, new Map(part.map((row) => [requests.keyOf(row), row])));
	}

	/** The parent's table holds the rows of each month, too. */
	#hasPartition(name: string): boolean {
		return this.months.some((month) => name.endsWith(`_${month.replace('-', '_')}`));
	}

	#activity(): Table {
		const table = new Table(ACTIVITY);
		for (const { pid, startedAtMs, changedAtMs, applicationName } of this.#sessions)
			table.put({
				pid,
				backend_start: startedAtMs,
				state_change: changedAtMs,
				application_name: applicationName,
				datname: 'backlay',
			});
		return table;
	}

	#surroundings(tables: Tables, applicationName: string, parameters: readonly unknown[]): Surroundings {
		return {
			table: (name) => this.#tableIn(tables, name),
			parameters,
			clockMs: () => this.clockMs(),
			fraction: () => this.#numbers.fraction(),
			hasPartition: (name) => this.#hasPartition(name),
			exportSnapshot: () => {
				throw new Error('a snapshot is exported in a transaction');
			},
			applicationName,
			nameOfProcesses: this.#nameOfProcesses,
		};
	}

	/** @returns null while the database is down */
	open(applicationName: string, onEnded: (error: Error) => void): Session | null {
		if (this.isDown) return null;
		const session = new Session(++this.#count, this.#time.nowMs, applicationName, onEnded);
		this.#sessions.add(session);
		return session;
	}

	/** The other side has closed it, or is gone. What runs goes on to its end. */
	close(session: Session): void {
		session.isLeft = true;
		if (!session.isRunning) this.#end(session);
	}

	#end(session: Session): void {
		session.isOpen = false;
		this.#sessions.delete(session);
		const { exported } = session.transaction ?? {};
		if (exported) this.#snapshots.delete(exported);
		session.transaction = null;
	}

	/** Ends a connection as a firewall does: the answers that have not arrived are lost. */
	reset(session: Session): void {
		session.isReset = true;
		this.terminate(session, new Error('reset'));
	}

	/** Ends a connection, as an administrator does. */
	terminate(session: Session, error: Error): void {
		for (const each of this.#committing) if (each.session === session) each.isCancelled = true;
		if (this.#lease?.session === session) this.#unlock();
		this.#end(session);
		session.onEnded(error);
	}

	/** Ends all connections. Each commit that is on its way is done or undone. */
	crash(downMs: number): void {
		for (const each of this.#committing) {
			each.isCancelled = true;
			if (this.#numbers.chance(50)) this.#commit(each);
		}
		this.#committing.clear();
		this.#lease = null;
		this.#waiting = [];
		this.#downUntilMs = this.#time.nowMs + downMs;
		for (const session of this.#sessions)
			this.terminate(session, Object.assign(new Error('terminating connection'), { code: '57P01' }));
	}

	/** Runs what a connection sent. */
	run(session: Session, sent: Sent, reply: Reply): void {
		if (!session.isOpen) return;
		session.isRunning = true;
		session.changedAtMs = this.#time.nowMs;
		this.#heard(session);
		const done: Reply = (outcome) => {
			session.isRunning = false;
			session.changedAtMs = this.#time.nowMs;
			reply(outcome);
			if (session.isLeft) this.#end(session);
		};
		const [statement] = sent.parsed.statements;
		const isPlain = sent.parsed.statements.length === 1 && statement && statement.is !== 'control';
		if (isPlain && !session.transaction) this.#runAlone(session, sent, statement, done);
		else this.#runInTransaction(session, sent, done);
	}

	#heard({ applicationName, changedAtMs }: Session): void {
		const times = this.#heardAtMs.get(applicationName) ?? [];
		times.push(changedAtMs);
		this.#heardAtMs.set(applicationName, times.slice(-TIMES_KEPT));
	}

	/** When the last statement before a time came over connections of that name; 0 for none. */
	heardBefore(applicationName: string, beforeMs: number): number {
		return this.#heardAtMs.get(applicationName)?.findLast((atMs) => atMs <= beforeMs) ?? 0;
	}

	/** Runs it outside of simulated time: nothing else is on its way. */
	runNow(session: Session, { parsed, parameters }: Sent): { answer: Answer } | { error: DatabaseError } {
		const [statement] = parsed.statements;
		const isPlain = parsed.statements.length === 1 && statement && statement.is !== 'control';
		let result: ReturnType<typeof outcomeOf> | null = null;
		if (!isPlain || session.transaction)
			this.#runInTransaction(session, { parsed, parameters }, (outcome) => (result = outcome));
		else {
			result = outcomeOf(() =>
				execute(statement, this.#surroundings(this.#tables, session.applicationName, parameters)),
			);
			if ('answer' in result) this.#apply(result.answer.changes);
		}
		return result as unknown as ReturnType<typeof outcomeOf>;
	}

	#runAlone(session: Session, { parsed, parameters }: Sent, statement: Statement, done: Reply): void {
		const surroundings = this.#surroundings(this.#tables, session.applicationName, parameters);
		if (!writes(statement)) {
			done(outcomeOf(() => execute(statement, surroundings)));
			return;
		}
		const locks = findsRow(statement, 'lease', surroundings);
		if (locks && this.#lease) {
			this.#waiting.push(() => {
				if (session.isOpen) this.#runAlone(session, { parsed, parameters }, statement, done);
			});
			return;
		}
		const outcome = outcomeOf(() => execute(statement, surroundings));
		if ('error' in outcome && locks) this.onRejected(outcome.error, session);
		if ('error' in outcome || outcome.answer.changes.length === 0) {
			done(outcome);
			return;
		}
		const committing: Committing = {
			session,
			answer: outcome.answer,
			statement,
			isCancelled: false,
			judgedAtMs: this.#time.nowMs,
		};
		this.#committing.add(committing);
		if (locks) this.#lease = committing;
		this.#time.after(this.#commitMs(), this.host, () => {
			this.#committing.delete(committing);
			if (committing.isCancelled) return;
			// Without the lease's lock others may have written meanwhile.
			if (!locks) committing.answer = execute(statement, surroundings);
			this.#commit(committing);
			if (locks) this.#unlock();
			done({ answer: committing.answer });
		});
	}

	#commitMs(): number {
		const usual = this.#numbers.longTail(USUAL_COMMIT_MS, LONGEST_COMMIT_MS);
		return this.slowUntilMs > this.#time.nowMs ? usual + this.slowMs * this.#numbers.fraction() : usual;
	}

	#commit({ answer, session, judgedAtMs }: Committing): void {
		this.onCommit(answer.changes, session, judgedAtMs);
		this.#apply(answer.changes);
	}

	#apply(changes: readonly Change[]): void {
		for (const change of changes) {
			if ('row' in change) change.table.put(change.row);
			else change.table.delete(change.deleted);
		}
	}

	/** Those that waited look again. */
	#unlock(): void {
		this.#lease = null;
		const waiting = this.#waiting;
		this.#waiting = [];
		for (const look of waiting) look();
	}

	/** Transactions of several statements read; what they write concerns one connection alone. */
	#runInTransaction(session: Session, { parsed, parameters }: Sent, done: Reply): void {
		let answer: Answer = { rows: [], rowCount: 0, changes: [] };
		for (const statement of parsed.statements) {
			const outcome = outcomeOf(() => this.#step(session, statement, parameters));
			if ('error' in outcome) {
				if (session.transaction) session.transaction.isBroken = true;
				done(outcome);
				return;
			}
			({ answer } = outcome);
		}
		done({ answer });
	}

	#step(session: Session, statement: Statement, parameters: readonly unknown[]): Answer {
		if (statement.is === 'control') return this.#control(session, statement);
		const { transaction } = session;
		if (transaction?.isBroken) throw new DatabaseError('25P02', 'current transaction is aborted');
		if (writes(statement)) throw new Error('the double writes one statement at a time');
		const tables = transaction?.snapshot ?? this.#tables;
		return execute(statement, {
			...this.#surroundings(tables, session.applicationName, parameters),
			exportSnapshot: () => this.#export(session),
		});
	}

	#export({ transaction }: Session): string {
		if (!transaction) throw new Error('a snapshot is exported in a transaction');
		const name = `snapshot-${++this.#count}`;
		transaction.snapshot = new Map([...this.#tables].map(([table, rows]) => [table, rows.copy()]));
		transaction.exported = name;
		this.#snapshots.set(name, transaction.snapshot);
		return name;
	}

	#control(session: Session, { words, table }: Control): Answer {
		const nothing: Answer = { rows: [], rowCount: 0, changes: [] };
		if (words === 'truncate') {
			const requests = this.table('request_key');
			for (const row of this.table(table ?? '').rows()) requests.delete(requests.keyOf(row));
			return nothing;
		}
		if (words.startsWith('begin')) {
			session.transaction = { snapshot: null, exported: null, isBroken: false };
			return nothing;
		}
		if (words === 'commit' || words === 'rollback') {
			if (session.transaction?.exported) this.#snapshots.delete(session.transaction.exported);
			session.transaction = null;
			return nothing;
		}
		const [, name] = /^set transaction snapshot '(.*)'$/.exec(words) ?? [];
		if (name !== undefined && session.transaction) {
			const snapshot = this.#snapshots.get(name);
			if (!snapshot) throw new DatabaseError('42704', `snapshot "${name}" does not exist`);
			session.transaction.snapshot = snapshot;
		} else if (
			!/^set (local lock_timeout|plan_cache_mode|enable_(seqscan|hashjoin|mergejoin)|transaction isolation level repeatable read read only)/.test(
				words,
			)
		)
			throw new Error(`the double does not know: ${words}`);
		return nothing;
	}
}

function outcomeOf(run: () => Answer): { answer: Answer } | { error: DatabaseError } {
	try {
		return { answer: run() };
	} catch (error) {
		if (error instanceof DatabaseError) return { error };
		throw error;
	}
}

function writes(statement: Statement): boolean {
	if (statement.is === 'with') return statement.parts.some((part) => writes(part.statement)) || writes(statement.last);
	return statement.is === 'insert' || statement.is === 'update' || statement.is === 'delete';
}
