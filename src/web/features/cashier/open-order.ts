/**
 * The order that a player is paying, for the lifetime of the tab: a phone may unload the page while the payment app is
 * in front.
 */
import type { GenerateRequest } from '#web/store/funds-queries.ts';
import { useSession } from '#web/store/session.ts';

const KEY = 'paymentOrder';

/** A storage that is full or forbidden means only that a reload shows the form again. */
function withStorage<Result>(use: (storage: Storage) => Result): Result | null {
	try {
		return use(sessionStorage);
	} catch {
		return null;
	}
}

const ownerOf = (): string => useSession.getState().user?.userId ?? '';

export function keepOrder(request: GenerateRequest): void {
	withStorage((storage) => storage.setItem(KEY, JSON.stringify({ ...request, owner: ownerOf() })));
}

export function forgetOrder(): void {
	withStorage((storage) => storage.removeItem(KEY));
}

/** Null for none, and for an order of another player of this tab. */
export function keptOrder(): GenerateRequest | null {
	const kept = withStorage((storage) => JSON.parse(storage.getItem(KEY) ?? 'null')) as
		| (GenerateRequest & { owner: string })
		| null;
	if (!kept || kept.owner !== ownerOf()) return null;
	return { amount: kept.amount, clientRequestId: kept.clientRequestId };
}
