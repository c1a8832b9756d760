/** Commands for an exchange, thousands at once. */
import type { Exchange, Request } from '#server/exchange/exchange.ts';

/** Under way at once. */
export const AT_ONCE = 2_000;

export async function submitAll(exchange: Exchange, requests: Iterable<Request>): Promise<void> {
	let some: Request[] = [];
	const submit = async () => {
		await Promise.all(some.map((request) => exchange.submit(request)));
		some = [];
	};
	for (const request of requests) if (some.push(request) >= AT_ONCE) await submit();
	await submit();
}
