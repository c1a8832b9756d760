/**
 * Runs the files the page names, one by one and each in a task of its own: in one go they would hold up a phone for a
 * tenth of a second. They are on their way already; the site is among them (vite.config.ts).
 */
async function runFiles(): Promise<void> {
	for (const { href } of document.querySelectorAll<HTMLLinkElement>('link[rel="modulepreload"]')) {
		await import(/* @vite-ignore */ href);
		await new Promise((resolve) => setTimeout(resolve));
	}
}

void runFiles();
