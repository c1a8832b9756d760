/** News for thousands of sockets: written over several turns of the event loop, whole and in order for each. */
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type Batch, type BatchingTransport, SharedBatches } from '#server/doors/hub/transports/shared-batches.ts';

const SOCKETS = 400;
/** This many sockets take several turns. */
const WRITE_MS = 0.1;

const encoded = (text: string) => ({ bytes: Buffer.from(text), format: 'Text' as const });
const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** The clock moves by writes alone, so that a busy machine does not make news overdue. */
let nowMs = 0;
beforeEach(() => {
	vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
});
afterEach(() => {
	vi.restoreAllMocks();
});

/** A socket that takes its time for each write. */
class SlowSocket implements BatchingTransport {
	written = '';
	readonly #batches: SharedBatches;
	#batch: Batch | null = null;

	constructor(batches: SharedBatches) {
		this.#batches = batches;
	}

	write(message: ReturnType<typeof encoded>): void {
		this.#batch = (this.#batch ?? this.#batches.begin(this)).with(message);
	}

	flush(): void {
		if (this.#batch) this.written += this.#batch.bytes.toString();
		this.#batch = null;
		nowMs += WRITE_MS;
	}
}

function openSockets(): SlowSocket[] {
	const batches = new SharedBatches(({ bytes }) => bytes);
	return Array.from({ length: SOCKETS }, () => new SlowSocket(batches));
}

it('serves calls between the sockets that one message goes to', async () => {
	const sockets = openSockets();
	for (const socket of sockets) socket.write(encoded('tick;'));
	const servedAfter: number[] = [];
	const writtenCount = () => sockets.filter(({ written }) => written !== '').length;
	while (writtenCount() < SOCKETS) {
		await nextTurn();
		servedAfter.push(writtenCount());
	}
	expect(servedAfter.length).toBeGreaterThan(2);
});

it('writes each message once and in order to each socket, whatever comes between its turns', async () => {
	const step = fc.oneof(
		fc.constant('turn' as const),
		fc.record({ from: fc.nat(SOCKETS - 1), count: fc.integer({ min: 1, max: SOCKETS }) }),
	);
	await fc.assert(
		fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
			const sockets = openSockets();
			const expected = sockets.map(() => '');
			for (const [number, act] of steps.entries()) {
				if (act === 'turn') await nextTurn();
				else {
					const message = encoded(`${number};`);
					for (let at = act.from; at < Math.min(SOCKETS, act.from + act.count); at++) {
						sockets[at]?.write(message);
						expected[at] += `${number};`;
					}
				}
			}
			while (sockets.some(({ written }, at) => written.length < (expected[at] ?? '').length)) await nextTurn();
			await nextTurn();
			expect(sockets.map(({ written }) => written)).toEqual(expected);
		}),
		{ numRuns: 20 },
	);
});
