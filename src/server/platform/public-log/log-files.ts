/** The files of the logs, read from the tables: a tile is published with the checkpoint that covers it. */
import type pg from 'pg';
import type { LaterReceipt } from '#public-log/receipt.ts';
import type { TileName } from '#public-log/tiles.ts';
import { fileOf, type PublishedLog, publishedLogs } from '#server/platform/public-log/log-rows.ts';
import { type ReceiptWriter, receiptKeyText, receiptOnDemand } from '#server/platform/public-log/receipt-writer.ts';

export interface LogFiles {
	/** NAME+ID+KEY. */
	receiptKey: string;
	/** By the reference that came with an answer; null if none did. */
	receipt(reference: string): Promise<LaterReceipt | null>;
	/** Newest first. */
	logs(): Promise<PublishedLog[]>;
	/** Null for a log that there is not. */
	checkpoint(log: number): Promise<string | null>;
	/** Null for a file that the log has not. */
	file(log: number, name: TileName): Promise<Uint8Array | null>;
}

export function logFiles(db: pg.Pool, ledgerKey: string, receipts: Pick<ReceiptWriter, 'written'>): LogFiles {
	const logOf = async (log: number) => (await publishedLogs(db)).find((published) => published.log === log) ?? null;
	return {
		receiptKey: receiptKeyText(ledgerKey),
		receipt: async (reference) => {
			await receipts.written(reference);
			return await receiptOnDemand(db, ledgerKey, reference);
		},
		logs: () => publishedLogs(db),
		checkpoint: async (log) => (await logOf(log))?.checkpoint ?? null,
		file: async (log, name) => {
			const published = await logOf(log);
			return published && (await fileOf(db, log, published.size, name));
		},
	};
}
