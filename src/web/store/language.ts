/** The language of the page. The server puts it into the page's head, and choosing another reloads the page. */

import { isLanguage, LANGUAGE_COOKIE, type Language } from '#values/languages.ts';
import { call } from '#web/api/client.ts';
import { useBrand } from '#web/store/brand.ts';

const YEAR_SECONDS = 365 * 24 * 3600;

export function pageLanguage(): Language {
	const [language] = document.documentElement.lang.split('-');
	return isLanguage(language) ? language : 'en';
}

/** The language that was chosen on this device, if any. */
const keptLanguage = (): string | null =>
	new RegExp(`(?:^|; )${LANGUAGE_COOKIE}=(\\w+)`).exec(globalThis.document?.cookie ?? '')?.[1] ?? null;

/** In a cookie, because the server reads it before it sends the page. */
function keepLanguage(language: Language): void {
	// biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store is not in every browser.
	document.cookie = `${LANGUAGE_COOKIE}=${language}; Path=/; Max-Age=${YEAR_SECONDS}; SameSite=Lax`;
	// The browser stores it later, and answers once it is stored: until then a reload would ask with the last one.
	keptLanguage();
}

/** On every device of the player. A failure leaves the choice to this one. */
const keepWithPlayer = (language: Language): Promise<unknown> =>
	call('setLanguage', { language }).catch(() => undefined);

/** Reloads the page in a language; address and slip stay. */
export async function chooseLanguage(language: Language, isPlayer: boolean): Promise<void> {
	keepLanguage(language);
	if (isPlayer) await keepWithPlayer(language);
	globalThis.location.reload();
}

let loadAnew = (): void => globalThis.location.reload();

/** How the page is reloaded after a log-in, which may lead to another screen first. */
export function setReload(reload: () => void): void {
	loadAnew = reload;
}

/**
 * After a log-in: the page takes the player's language if the brand offers it. A player without one gets the language
 * chosen on this device.
 */
export function followPlayerLanguage(language: Language | null): void {
	const kept = keptLanguage();
	if (language === null) {
		if (isLanguage(kept)) void keepWithPlayer(kept);
	} else if (useBrand.getState().setting?.languages.includes(language)) {
		keepLanguage(language);
		if (language !== pageLanguage()) loadAnew();
	}
}
