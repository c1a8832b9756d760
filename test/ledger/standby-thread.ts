/** Standbys in a thread of their own, which see an exchange whose event loop stands still. */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { pino } from 'pino';
import { LedgerSealer } from '#server/exchange/ledger/ledger-seal.ts';
import { Standby } from '#server/exchange/standby/standby.ts';
import { connect } from '#server/platform/postgres/connect.ts';

/** To the thread: by what number a standby joins or leaves. */
export interface Order {
	kind: 'join' | 'leave';
	standby: number;
}
/** From the thread. A standby that took over, or that found a difference, says how it failed. */
export type Said = { standby: number } & ({ kind: 'follows' | 'left' } | { kind: 'failed'; how: string });

export interface ThreadOptions {
	url: string;
	ledgerKey: string;
	silenceMs: number;
}

const { url, ledgerKey, silenceMs } = workerData as ThreadOptions;
const standbys = new Map<number, Standby>();
const port = parentPort as MessagePort;
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port has no origin
const say = (said: Said): void => port.postMessage(said);

async function run(number: number): Promise<void> {
	const db = connect(url, { max: 3 });
	const standby = new Standby({
		db,
		log: pino({ level: 'silent' }),
		sealer: new LedgerSealer(ledgerKey),
		silenceMs,
		goneMs: silenceMs / 4,
		onFollowing: () => say({ kind: 'follows', standby: number }),
	});
	standbys.set(number, standby);
	try {
		const taken = await standby.run();
		say(taken ? { kind: 'failed', standby: number, how: 'It took over.' } : { kind: 'left', standby: number });
	} catch (error) {
		say({ kind: 'failed', standby: number, how: String(error) });
	} finally {
		standbys.delete(number);
		await db.end();
	}
}

port.on('message', ({ kind, standby }: Order) => {
	if (kind === 'join') void run(standby);
	else standbys.get(standby)?.stop();
});
