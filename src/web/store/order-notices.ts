/**
 * What becomes of an order by itself is said once: the hub says it again to a page that registers late or again, because
 * the page may not have heard it.
 */
import { showNotice } from '#web/store/notices.ts';
import { sameLogin } from '#web/store/same-login.ts';
import { type MoreTexts, withTexts } from '#web/texts/held.ts';

const said = new Set<string>();

type Words = MoreTexts['ORDER_NOTICES'];

/** @param what names the order and what became of it */
export async function sayOnce(
	what: string,
	wordsOf: (words: Words) => string,
	kind: 'info' | 'error' = 'info',
): Promise<void> {
	if (said.has(what)) return;
	said.add(what);
	const isSameLogin = sameLogin();
	try {
		const { ORDER_NOTICES } = await withTexts(() => import('#web/texts/more.ts'));
		if (isSameLogin()) showNotice(wordsOf(ORDER_NOTICES), kind);
	} catch {
		// The words did not come: the next registration may bring both.
		said.delete(what);
	}
}
