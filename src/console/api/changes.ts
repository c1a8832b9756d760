/** The server's word on what is out of date; the screens that show it ask again. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { sessionEnded } from '#console/api/operate.ts';

interface Changed {
	proposals: boolean;
	queues: boolean;
	/** Ids; `*` for all of them. */
	markets: readonly string[];
}

/** Short, because a stream ends when its session does, and the page then closes. */
const FIRST_PAUSE_MS = 50;
/** A stream that lasted so long did not end by a fault on its way. */
const STEADY_MS = 5_000;
const LONGEST_PAUSE_MS = 15_000;
const UNAUTHORIZED = 401;

/** Calls that show markets, but no single one. */
const OF_MARKETS: ReadonlySet<unknown> = new Set([
	'events',
	'event-markets',
	'event-show',
	'presses',
	'result-desk',
	'limit-rules',
]);
const OF_A_MARKET: ReadonlySet<unknown> = new Set(['market-risk', 'market-bets', 'result-evidence']);
const OF_QUEUES: ReadonlySet<unknown> = new Set([
	'payment-queue',
	'payment-show',
	'document-queue',
	'ticket-queue',
	'ticket-show',
	'case-queue',
	'case-show',
	'case-rules',
	'today',
]);
const OF_PROPOSALS: ReadonlySet<unknown> = new Set([
	'proposals',
	'case-show',
	'today',
	'result-desk',
	'result-evidence',
]);

function concerns({ proposals, queues, markets }: Changed, [name, input]: readonly unknown[]): boolean {
	if (proposals && OF_PROPOSALS.has(name)) return true;
	if (queues && OF_QUEUES.has(name)) return true;
	if (markets.length === 0) return false;
	if (OF_MARKETS.has(name)) return true;
	const { marketId } = (input ?? {}) as { marketId?: string };
	return OF_A_MARKET.has(name) && (markets.includes('*') || markets.includes(marketId ?? ''));
}

/** Reads the stream until it ends. */
async function follow(signal: AbortSignal, onChanged: (changed: Changed) => void, onOpen: () => void): Promise<void> {
	const response = await fetch('/api/changes', { headers: { 'X-Console': 'repeated' }, signal });
	if (response.status === UNAUTHORIZED) sessionEnded();
	if (!response.ok || !response.body) return;
	onOpen();
	let text = '';
	for await (const part of response.body.pipeThrough(new TextDecoderStream())) {
		text += part;
		const events = text.split('\n\n');
		text = events.pop() ?? '';
		for (const event of events) {
			if (event.startsWith('data: ')) onChanged(JSON.parse(event.slice('data: '.length)) as Changed);
		}
	}
}

/** While a member is in; a stream that ends is opened again with growing pauses. */
export function useChanges(): void {
	const client = useQueryClient();
	useEffect(() => {
		const stop = new AbortController();
		let pauseMs = FIRST_PAUSE_MS;
		let timer: ReturnType<typeof setTimeout> | undefined;
		const onChanged = (changed: Changed) =>
			void client.invalidateQueries({ predicate: ({ queryKey }) => concerns(changed, queryKey) });
		const onOpen = () => {
			// What changed while there was no stream is not known.
			if (pauseMs > FIRST_PAUSE_MS) void client.invalidateQueries();
		};
		const run = () => {
			const fromMs = performance.now();
			void follow(stop.signal, onChanged, onOpen)
				.catch(() => undefined)
				.finally(() => {
					if (stop.signal.aborted) return;
					if (performance.now() - fromMs > STEADY_MS) pauseMs = FIRST_PAUSE_MS;
					timer = setTimeout(run, pauseMs);
					pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2);
				});
		};
		run();
		return () => {
			stop.abort();
			clearTimeout(timer);
		};
	}, [client]);
}
