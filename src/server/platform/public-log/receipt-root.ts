/** The root of the receipts that were signed together: a row of `receipt_root`. */
export interface ReceiptRootRow {
	id: string;
	/** How many receipts. */
	size: number;
	root: Buffer;
	atMs: number;
	/** What paths and statements are computed from; null where no receipt is given on demand. `moments`: see the column. */
	onDemand: { seed: Buffer; leaves: Buffer; moments: Buffer } | null;
}

/** Makes a root when its batch is sealed. */
export type RootMaker = () => ReceiptRootRow;
