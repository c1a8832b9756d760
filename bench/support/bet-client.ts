/**
 * A cheap client, because it shares its cores with the measured server: one open socket, prepared request texts, and
 * only the needed parts of the answers.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { decimalFromPrice } from '#values/price-ladder.ts';
import { BACK, sideName } from '#values/sides.ts';
import { type MixedBet, STAKE_MINOR } from './bet-mix.ts';
import type { BenchMarket } from './server-child.ts';

export interface HttpAnswer {
	status: number;
	/** Status line and headers. */
	head: string;
	body: string;
}

const HEAD_END = '\r\n\r\n';
/** An answer is shorter, but for lists. */
const READ_BYTES = 16 * 1024;
/** A request that is sent while the server closes an idle connection is lost. */
const LONGEST_IDLE_MS = 2_000;

/** One keep-alive connection; the next request is sent when the last is answered. */
export class BetConnection {
	readonly #socket: Socket;
	#received = '';
	#answeredAtMs = performance.now();
	#answered: ((answer: HttpAnswer) => void) | null = null;
	#broken: ((error: Error) => void) | null = null;

	private constructor(port: number) {
		// Read into memory of its own: otherwise each answer has new memory of 64 kB for a moment, and a decoder of texts.
		const buffer = Buffer.allocUnsafe(READ_BYTES);
		const callback = (bytes: number): boolean => {
			this.#heard(buffer.toString('latin1', 0, bytes));
			return true;
		};
		this.#socket = connect({ port, host: '127.0.0.1', onread: { buffer, callback } });
		this.#socket.setNoDelay(true);
		this.#socket.on('error', (error) => this.#broken?.(error));
		this.#socket.on('close', () => this.#broken?.(new Error('The server closed the connection.')));
	}

	static async open(port: number): Promise<BetConnection> {
		const connection = new BetConnection(port);
		await once(connection.#socket, 'connect');
		return connection;
	}

	/**
	 * The connection that is idle for longest, or a new one in the place of those idle for too long. Used by turns none
	 * is: one that served a burst alone would be opened again at the next, by hundreds in the middle of a stall.
	 */
	static async from(idle: BetConnection[], port: number): Promise<BetConnection> {
		for (let connection = idle.shift(); connection; connection = idle.shift()) {
			const isIdle = performance.now() - connection.#answeredAtMs > LONGEST_IDLE_MS;
			if (!connection.#socket.destroyed && !isIdle) return connection;
			connection.close();
		}
		return await BetConnection.open(port);
	}

	send(request: string): Promise<HttpAnswer> {
		return new Promise((resolve, reject) => {
			// A destroyed socket swallows writes, and the answer would be awaited forever.
			if (this.#socket.destroyed) throw new Error('The server closed the connection.');
			this.#answered = resolve;
			this.#broken = reject;
			this.#socket.write(request, 'latin1');
		});
	}

	close(): void {
		this.#broken = null;
		this.#socket.destroy();
	}

	#heard(text: string): void {
		this.#received += text;
		const headEnd = this.#received.indexOf(HEAD_END);
		if (headEnd < 0) return;
		const from = headEnd + HEAD_END.length;
		const head = this.#received.slice(0, from);
		const length = Number(/content-length: (\d+)/i.exec(head)?.[1]);
		if (!(this.#received.length >= from + length)) return;
		const answer = { status: Number(head.slice(9, 12)), head, body: this.#received.slice(from, from + length) };
		this.#received = '';
		this.#answeredAtMs = performance.now();
		this.#answered?.(answer);
	}
}

let placed = 0;

/** The request that places this bet. @param head its lines that name the host */
export function betRequest(
	port: number,
	market: BenchMarket,
	token: string,
	bet: MixedBet,
	head = `Host: 127.0.0.1:${port}`,
): string {
	placed += 1;
	const body = JSON.stringify({
		marketId: market.marketId,
		runnerId: market.runnerIds[bet.runner === 0 ? 0 : 1],
		side: sideName(bet.side),
		price: decimalFromPrice(bet.price),
		stake: STAKE_MINOR / 100,
		clientRequestId: `bench-request-${placed}`,
	});
	return (
		`POST /Bet/PlaceBetV2 HTTP/1.1\r\n${head}\r\nAuthorization: Bearer ${token}\r\n` +
		`Content-Type: application/json\r\nContent-Length: ${body.length}${HEAD_END}${body}`
	);
}

/**
 * A bet that always rests, because no player lays, and that always changes the balance: backs of one runner add up,
 * while backs of both would cover one another.
 */
export const restingBet = (bet: MixedBet): MixedBet => ({ ...bet, side: BACK, runner: 0 });
