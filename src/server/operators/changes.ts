/**
 * Changes, for the screens of the console: a stream of events on its own host. A message names the outdated data, and
 * the screens request it again, so a message reveals nothing that a member may not see. Changes within a quarter of a
 * second share one message, and a slow reader gets fewer.
 */
import type { ServerResponse } from 'node:http';
import type { CommittedListener } from '#server/exchange/committed.ts';

/** The outdated data: proposals and queues by name, markets by id. */
export interface Changed {
	proposals: boolean;
	queues: boolean;
	markets: string[];
}

const EVERY_MS = 250;
/** A keep-alive is sent once per this many intervals, so that no proxy or time-out closes the stream. */
const ALIVE_EVERY = 40;
/** Further members poll, as without a stream. */
const MOST_STREAMS = 500;
/** More markets than a screen shows: a message then marks all of them as changed. */
const MOST_MARKETS = 200;
const ALL_MARKETS = '*';

interface Stream {
	response: ServerResponse;
	/** Whether the member's session is still valid. */
	isPresent: () => boolean;
	proposals: boolean;
	queues: boolean;
	markets: Set<number>;
}

export class ConsoleChanges {
	readonly #streams = new Set<Stream>();
	#timer: ReturnType<typeof setInterval> | null = null;
	#flushes = 0;
	#isClosed = false;
	/** The times of future changes of queues. A screen that opens later polls on its own. */
	readonly #queueTimes = new Set<number>();

	/** Follows commits. */
	readonly onCommitted: CommittedListener = ({ workflows, markets, trades }) => {
		if (this.#streams.size === 0) return;
		const hasQueues = workflows.some(({ kind }) => kind !== 'CASINO');
		for (const stream of this.#streams) {
			if (hasQueues) stream.queues = true;
			for (const { marketId } of markets) stream.markets.add(marketId);
			for (const { marketId } of trades) stream.markets.add(marketId);
		}
	};

	/** A proposal was created, or changed its state. */
	proposalsChanged(): void {
		for (const stream of this.#streams) stream.proposals = true;
	}

	/** A queue changed without a commit, such as by a claim. */
	queuesChanged(): void {
		for (const stream of this.#streams) stream.queues = true;
	}

	/** Queues change at that time, such as when a claim ends. @param atMs by the wall clock */
	queuesChangeAt(atMs: number): void {
		if (this.#streams.size > 0) this.#queueTimes.add(atMs);
	}

	/**
	 * Answers with the stream, which ends with the connection or the session.
	 * @returns false if there are too many streams, or all of them were ended
	 */
	open(response: ServerResponse, isPresent: () => boolean): boolean {
		if (this.#isClosed || this.#streams.size >= MOST_STREAMS) return false;
		response.writeHead(200, {
			'Content-Type': 'text/event-stream',
			'Cache-Control': 'no-store',
			'X-Accel-Buffering': 'no',
		});
		const stream: Stream = { response, isPresent, proposals: false, queues: false, markets: new Set() };
		this.#streams.add(stream);
		response.on('close', () => this.#drop(stream));
		response.write(': open\n\n');
		this.#timer ??= setInterval(() => this.#flush(), EVERY_MS);
		return true;
	}

	/** Ends the streams of ended sessions immediately: a removed member sees nothing more. */
	readonly endAbsent = (): void => this.#endWhere(({ isPresent }) => !isPresent());

	/** Ends every stream and refuses new ones. The screens retry until a process has one. */
	close(): void {
		this.#isClosed = true;
		this.#endWhere(() => true);
	}

	#endWhere(hasEnded: (stream: Stream) => boolean): void {
		for (const stream of this.#streams) {
			if (!hasEnded(stream)) continue;
			stream.response.end();
			this.#drop(stream);
		}
	}

	#drop(stream: Stream): void {
		this.#streams.delete(stream);
		if (this.#streams.size > 0 || !this.#timer) return;
		clearInterval(this.#timer);
		this.#timer = null;
	}

	#passTimes(): void {
		const now = Date.now();
		for (const atMs of this.#queueTimes) {
			if (atMs > now) continue;
			this.#queueTimes.delete(atMs);
			this.queuesChanged();
		}
	}

	#flush(): void {
		this.#flushes += 1;
		const isSign = this.#flushes % ALIVE_EVERY === 0;
		// An idle session expires by the clock, without an event.
		this.endAbsent();
		this.#passTimes();
		for (const stream of this.#streams) {
			const { response, proposals, queues, markets } = stream;
			const isEmpty = !proposals && !queues && markets.size === 0;
			// The unread messages of a slow reader, merged with new ones.
			if (isEmpty && isSign && !response.writableNeedDrain) response.write(': alive\n\n');
			if (isEmpty || response.writableNeedDrain) continue;
			const ids = markets.size > MOST_MARKETS ? [ALL_MARKETS] : [...markets].map(String);
			const changed: Changed = { proposals, queues, markets: ids };
			response.write(`data: ${JSON.stringify(changed)}\n\n`);
			Object.assign(stream, { proposals: false, queues: false, markets: new Set() });
		}
	}
}
