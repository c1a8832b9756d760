/**
 * Asks one question at a time, and lets its answer serve for a while: however many ask, the database is asked once. A fault
 * is not kept.
 * @param holdsMs from the question on; an answer that takes longer serves those who waited for it
 */
export function heldAnswer<Value>(ask: () => Promise<Value>, holdsMs: number): () => Promise<Value> {
	let asked: Promise<Value> | null = null;
	let askedAtMs = 0;
	let isAnswered = false;
	return () => {
		if (!asked || (isAnswered && performance.now() - askedAtMs >= holdsMs)) {
			askedAtMs = performance.now();
			isAnswered = false;
			asked = ask().finally(() => {
				isAnswered = true;
			});
			asked.catch(() => {
				asked = null;
			});
		}
		return asked;
	};
}
