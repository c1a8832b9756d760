/** The load of `bench http-bets`: 64 connections, each of which sends its next bet when its last is answered. */
import { BetConnection, betRequest } from './bet-client.ts';
import { BetMix } from './bet-mix.ts';
import { percentile, round } from './figures.ts';
import type { BenchMarket } from './server-child.ts';

export const CONNECTIONS = 64;

export interface BetLoad {
	/** Milliseconds from the request to its answer, for accepted bets. */
	took: number[];
	/** Other answers, by status and code. */
	errors: Map<string, number>;
	seconds: number;
}

/**
 * Puts the server under load for that long, on new connections, in turn to each of its ports.
 * @param lines of the head of each request, besides the usual ones
 */
export function loadOn(
	port: number | readonly number[],
	market: BenchMarket,
	tokens: readonly string[],
	most = CONNECTIONS,
	lines: readonly string[] = [],
): (forMs: number) => Promise<BetLoad> {
	const mix = new BetMix(tokens.length);
	const ports = [port].flat();
	const portOf = (connection: number) => ports[connection % ports.length] ?? 0;
	return async (forMs) => {
		const connections = await Promise.all(
			Array.from({ length: most }, (_, count) => BetConnection.open(portOf(count))),
		);
		const took: number[] = [];
		const errors = new Map<string, number>();
		const start = performance.now();
		const until = start + forMs;
		await Promise.all(
			connections.map(async (connection, count) => {
				while (performance.now() < until) {
					const bet = mix.next();
					const head = [`Host: 127.0.0.1:${portOf(count)}`, ...lines].join('\r\n');
					const request = betRequest(portOf(count), market, tokens[bet.player] ?? '', bet, head);
					const from = performance.now();
					const { status, body } = await connection.send(request);
					if (status === 200) took.push(performance.now() - from);
					else {
						const name = `${status} ${/"code":"(\w+)"/.exec(body)?.[1] ?? ''}`;
						errors.set(name, (errors.get(name) ?? 0) + 1);
					}
				}
				connection.close();
			}),
		);
		return { took, errors, seconds: (performance.now() - start) / 1000 };
	};
}

/** Bets a second over several loads. */
export function betRate(loads: readonly BetLoad[]): number {
	return (
		loads.reduce((bets, load) => bets + load.took.length, 0) /
		loads.reduce((seconds, load) => seconds + load.seconds, 0)
	);
}

export function loadFigures(loads: readonly BetLoad[]) {
	const took = loads.flatMap((load) => load.took);
	return {
		betsPerSecond: Math.round(betRate(loads)),
		p50ms: round(percentile(took, 0.5), 2),
		p99ms: round(percentile(took, 0.99), 2),
		errors: Object.assign({}, ...loads.map((load) => Object.fromEntries(load.errors))),
	};
}
