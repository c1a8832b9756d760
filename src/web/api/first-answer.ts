/** The answer to the call that the page made before its files were there (`begin.ts`). */

declare global {
	var firstCall: { url: string; token: string | null; answer: Promise<Response> } | undefined;
}

/** As long as an answer counts as fresh elsewhere (`store/query-client.ts`). */
const FRESH_MS = 15_000;

/**
 * Once, for the same call of the same login.
 * @param ageMs of the page, which asked at once
 */
export function takeFirstAnswer(
	url: string,
	token: string | null,
	ageMs = performance.now(),
): Promise<Response> | undefined {
	const first = globalThis.firstCall;
	if (first?.url !== url) return undefined;
	globalThis.firstCall = undefined;
	return first.token === token && ageMs < FRESH_MS ? first.answer : undefined;
}
