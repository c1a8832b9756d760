/**
 * Runs the files that the page names, each in a separate task: in one task they would block a phone for a tenth of a
 * second. They are already being fetched; the site is among them (vite.config.ts). Files of texts come first, and their
 * exports are put where the others find them (`texts/held.ts`).
 */
async function runFiles(): Promise<void> {
	for (const { href, dataset } of document.querySelectorAll<HTMLLinkElement>('link[rel="modulepreload"]')) {
		const file = await import(/* @vite-ignore */ href);
		if (dataset['texts']) globalThis.siteTexts = { ...globalThis.siteTexts, ...file };
		await new Promise((resolve) => setTimeout(resolve));
	}
}

void runFiles();
