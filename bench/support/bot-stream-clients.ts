/**
 * Clients of the bots' stream, as a process of their own. Each subscribes to its markets; all count their lines, and
 * every twentieth reads when the change was published, which is the size of a best price.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

interface Options {
	port: number;
	connections: number;
	ofAPlayer: number;
	marketIds: number[];
	/** Markets that each connection follows. */
	watched: number;
}

const { port, connections, ofAPlayer, marketIds, watched } = JSON.parse(process.argv[2] ?? '') as Options;
const READS_EVERY = 20;
const LINE_FEED = 0x0a;
const BEST_SIZE = /"batb":\[\[0,1\.9,([\d.]+)/;
/** The part of the clock that fits into a size, in tenths of a millisecond. */
const CLOCK_ROUND = 1_000_000_000;

let measuring = false;
let messages = 0;
let bytes = 0;
const samples: number[] = [];

function read(line: string): void {
	const size = Number(BEST_SIZE.exec(line)?.[1]);
	const now = Math.floor((performance.timeOrigin + performance.now()) * 10) % CLOCK_ROUND;
	if (size > 0) samples.push(((now - Math.round(size * 100) + CLOCK_ROUND) % CLOCK_ROUND) / 10);
}

function follow(socket: Socket, reads: boolean): void {
	let text = '';
	socket.on('data', (data: Buffer) => {
		if (!measuring) return;
		bytes += data.length;
		for (let at = data.indexOf(LINE_FEED); at >= 0; at = data.indexOf(LINE_FEED, at + 1)) messages += 1;
		if (!reads) return;
		const lines = (text + data.toString('latin1')).split('\n');
		text = lines.pop() ?? '';
		for (const line of lines) read(line);
	});
}

async function open(at: number): Promise<void> {
	const socket = connect(port, '127.0.0.1');
	await once(socket, 'connect');
	const marketFilter = {
		marketIds: Array.from({ length: watched }, (_, next) => `1.${marketIds[(at + next) % marketIds.length]}`),
	};
	const marketDataFilter = { fields: ['EX_BEST_OFFERS', 'EX_LTP', 'EX_TRADED_VOL', 'EX_MARKET_DEF'] };
	const appKey = String(Math.floor(at / ofAPlayer) + 1);
	for (const message of [
		{ op: 'authentication', id: 1, appKey, session: 'bench' },
		{ op: 'marketSubscription', id: 2, marketFilter, marketDataFilter },
	])
		socket.write(`${JSON.stringify(message)}\r\n`);
	follow(socket, at % READS_EVERY === 0);
}

for (let at = 0; at < connections; at++) await open(at);
process.on('message', (word) => {
	measuring = word === 'measure';
	if (word === 'report') process.send?.({ samples, messages, bytes });
});
process.on('disconnect', () => process.exit(0));
process.send?.('open');
