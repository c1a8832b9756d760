/**
 * Runs the files the page names, one by one and each in a task of its own: in one go they would hold up a phone for a
 * tenth of a second. They are on their way already; the site is among them (vite.config.ts). Files of texts come first,
 * and what they export is put where the others find it (`texts/held.ts`).
 */
async function runFiles(): Promise<void> {
	for (const { href, dataset } of document.querySelectorAll<HTMLLinkElement>('link[rel="modulepreload"]')) {
		const file = await import(/* @vite-ignore */ href);
		if (dataset['texts']) globalThis.siteTexts = { ...globalThis.siteTexts, ...file };
		await new Promise((resolve) => setTimeout(resolve));
	}
}

void runFiles();
