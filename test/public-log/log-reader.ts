/** Reads a log's files as a stranger does. */
import type { ReadFile } from '#public-log/verify-log.ts';

/** `/public-log/logs.json`, newest first. */
export type PublishedLogs = { log: number; origin: string; key: string; reason: string; size: number }[];

export const overHttp =
	(address: string): ReadFile =>
	async (path) => {
		const response = await fetch(`${address}/${path}`);
		if (!response.ok) throw new Error(`${path}: ${response.status}`);
		return new Uint8Array(await response.arrayBuffer());
	};
