/** The end of the exchange in a process that stops, with the calls of players. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Exchange } from '#server/exchange/exchange.ts';
import type { ReceiptWriter } from '#server/platform/public-log/receipt-writer.ts';
import type { Gate } from '#server/process/hand-over/gate.ts';
import { FINISH_WITHIN_MS } from '#server/process/hand-over/hand-over.ts';

interface Stopped {
	exchange: Pick<Exchange, 'isOpen' | 'drain'>;
	/** Of calls. */
	gate: Pick<Gate, 'hold' | 'open'>;
	receipts: Pick<ReceiptWriter, 'flush'>;
}

/**
 * Answers of the last calls name receipts, whose roots need a batch. So calls that have begun are answered first, and the
 * later ones are held, and refused when nothing more is written.
 */
export async function stopExchange({ exchange, gate, receipts }: Stopped): Promise<void> {
	// After a hand-over the successor answers, and one that fails writes nothing.
	const writes = exchange.isOpen();
	if (writes) {
		await Promise.race([gate.hold(), delay(FINISH_WITHIN_MS, undefined, { ref: false })]);
		await receipts.flush();
	}
	try {
		await exchange.drain();
	} finally {
		if (writes) gate.open();
	}
}
