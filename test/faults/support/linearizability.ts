/**
 * Whether operations that overlap can be put into one order that explains all answers: each takes effect once, at one moment
 * between its call and its answer. The search is Wing and Gong's ("Testing and Verifying Concurrent Objects", 1993), with
 * the states that it has been in remembered, as Lowe does ("Testing for Linearizability", 2017).
 */

export interface Operation<Call, Answer> {
	call: Call;
	/** Moments are places in the order in which the test saw them. */
	calledAt: number;
	/** Infinity while the outcome is unknown: it takes effect at any time after its call, or never. */
	answeredAt: number;
	/** Null while the outcome is unknown. */
	answer: Answer | null;
	/**
	 * Where the system says that it took effect, among others that have a place. The search tries this order first and
	 * believes nothing of it: without it, bets that wait in a queue have very many orders until they are matched.
	 */
	place?: number | undefined;
}

/** What the operations work on, one at a time. */
export interface Model<State, Call, Answer> {
	initial: State;
	/**
	 * The state after an operation: the same object when it changes nothing.
	 * @param answer null for any
	 * @returns null when the operation cannot have that answer in that state
	 */
	after: (state: State, call: Call, answer: Answer | null) => State | null;
	/** Equal for equal states. */
	keyOf: (state: State) => string;
}

export interface Search<State, Call, Answer> {
	isLinearizable: boolean;
	/** The most operations that could be put in order, and the state after them: where a search that fails came to. */
	order: readonly Operation<Call, Answer>[];
	state: State;
}

/** More states are a history that is too long, or has too many unknown outcomes, to be searched. */
const MOST_STATES = 2_000_000;

export function linearize<State, Call, Answer>(
	model: Model<State, Call, Answer>,
	history: readonly Operation<Call, Answer>[],
): Search<State, Call, Answer> {
	return new OrderSearch(model, history).search();
}

class OrderSearch<State, Call, Answer> {
	readonly #model: Model<State, Call, Answer>;
	/** By their calls. */
	readonly #operations: readonly Operation<Call, Answer>[];
	readonly #isDone: boolean[];
	readonly #order: Operation<Call, Answer>[] = [];
	/** What is done, and the state, from which no order was found. */
	readonly #failed = new Set<string>();
	#furthest: Omit<Search<State, Call, Answer>, 'isLinearizable'>;

	constructor(model: Model<State, Call, Answer>, history: readonly Operation<Call, Answer>[]) {
		this.#model = model;
		this.#operations = history.toSorted((one, other) => one.calledAt - other.calledAt);
		this.#isDone = this.#operations.map(() => false);
		this.#furthest = { order: [], state: model.initial };
	}

	search(): Search<State, Call, Answer> {
		const isLinearizable = this.#goesOn(this.#model.initial, 0);
		return { ...this.#furthest, isLinearizable };
	}

	/** @param from all operations before it are done */
	#goesOn(state: State, from: number): boolean {
		let first = from;
		while (this.#isDone[first]) first++;
		if (this.#order.length > this.#furthest.order.length || this.#order.length === 0)
			this.#furthest = { order: [...this.#order], state };
		// What is left has unknown outcomes, and need not have happened.
		if (this.#isAnswered(first)) return true;
		const key = `${first} ${this.#doneAfter(first)} ${this.#model.keyOf(state)}`;
		if (this.#failed.has(key)) return false;
		// What changes nothing and may come now can as well come first: no other order explains more.
		const steps = this.#next(first).flatMap((at) => {
			const { call, answer } = this.#operations[at] as Operation<Call, Answer>;
			const after = this.#model.after(state, call, answer);
			return after === null || (answer === null && after === state) ? [] : [{ at, after }];
		});
		const quiet = steps.find(({ after }) => after === state);
		for (const { at, after } of quiet ? [quiet] : steps) {
			this.#isDone[at] = true;
			this.#order.push(this.#operations[at] as Operation<Call, Answer>);
			if (this.#goesOn(after, first)) return true;
			this.#order.pop();
			this.#isDone[at] = false;
		}
		this.#failed.add(key);
		if (this.#failed.size > MOST_STATES) throw new Error('the history is too large to be searched');
		return false;
	}

	/** Those that may come next: none that is not done was answered before they were called. By their places; those that have none come when nothing else can, soonest answers first. */
	#next(first: number): number[] {
		const next: number[] = [];
		let earliest = Number.POSITIVE_INFINITY;
		for (let at = first; at < this.#operations.length; at++) {
			const { calledAt, answeredAt } = this.#operations[at] as Operation<Call, Answer>;
			if (calledAt > earliest) break;
			if (this.#isDone[at]) continue;
			next.push(at);
			earliest = Math.min(earliest, answeredAt);
		}
		const answeredAt = (at: number) => this.#operations[at]?.answeredAt ?? Number.POSITIVE_INFINITY;
		const place = (at: number) => this.#operations[at]?.place ?? Number.POSITIVE_INFINITY;
		// Two outcomes that are both unknown have no difference.
		return next.toSorted((one, other) => {
			if (place(one) !== place(other)) return place(one) < place(other) ? -1 : 1;
			return answeredAt(one) < answeredAt(other) ? -1 : 1;
		});
	}

	/** Whether everything that has an answer is done. */
	#isAnswered(first: number): boolean {
		for (let at = first; at < this.#operations.length; at++)
			if (!this.#isDone[at] && this.#operations[at]?.answer !== null) return false;
		return true;
	}

	#doneAfter(first: number): string {
		const done: number[] = [];
		for (let at = first; at < this.#operations.length; at++) if (this.#isDone[at]) done.push(at);
		return String(done);
	}
}
