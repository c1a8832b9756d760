/**
 * Stands in the page itself, ahead of its styles. Puts on the theme that was chosen here, asks for what the first screen shows, which the server names, and
 * then runs the files that the page names.
 */
{
	const named = (document.currentScript as HTMLScriptElement | null)?.dataset['call'];

	/** A storage that is forbidden holds nothing. */
	const stored = (key: 'accessToken' | 'theme'): string | null => {
		try {
			return localStorage.getItem(key);
		} catch {
			return null;
		}
	};

	// The brand's colours are made for its own theme; the site has those of the other (`features/brand/brand-look.tsx`).
	const { documentElement: root } = document;
	const theme = stored('theme');
	if (/^(dark|light)$/.test(theme ?? '') && root.className !== theme) {
		root.className = theme ?? '';
		root.removeAttribute('style');
	}

	const after = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
	/** By then the files are more urgent. */
	const LOGO_WITHIN_MS = 250;

	if (named) {
		const token = stored('accessToken');
		const headers: Record<string, string> = { Accept: 'application/json' };
		if (token) headers['Authorization'] = `Bearer ${token}`;
		const answer = fetch(named, { headers, cache: 'no-store' });
		// Without an answer the screen asks again, and says so.
		answer.catch(() => undefined);
		globalThis.firstCall = { url: named, token, answer };
	}

	const AGAIN_MS = 2000;
	/** In the words of the three engines. */
	const DID_NOT_COME = /dynamically imported module|Importing a module/;

	/**
	 * Runs a file, and asks for it again while it does not come. Where the server answers and it still does not come, only
	 * another page helps: older browsers keep it as failed, and a release removes the files of the one before.
	 */
	const run = async (href: string) => {
		let isAnswered = false;
		for (;;) {
			try {
				return await import(/* @vite-ignore */ href);
			} catch (failure) {
				if (!DID_NOT_COME.test(String(failure))) throw failure;
				if (isAnswered) location.reload();
				await after(AGAIN_MS);
				isAnswered = await fetch('/healthz', { cache: 'no-store' }).then(
					() => true,
					() => false,
				);
			}
		}
	};

	let haveStylesFailed = false;
	/** Vite asks for styles once; a part that comes with its second try would stay without them. */
	document.addEventListener(
		'error',
		({ target }) => {
			if (!(target instanceof HTMLLinkElement) || target.rel !== 'stylesheet') return;
			haveStylesFailed = true;
			void after(AGAIN_MS).then(() => target.replaceWith(target.cloneNode()));
		},
		true,
	);

	/**
	 * Each in a separate task: in one task they would block a phone for a tenth of a second. They are already being fetched;
	 * the site is among them (vite.config.ts). Files of texts come first, and their exports are put where the others find
	 * them (`texts/held.ts`).
	 */
	const runFiles = async (): Promise<void> => {
		for (const { href, dataset } of document.querySelectorAll<HTMLLinkElement>('link[rel="modulepreload"]')) {
			const file = await run(href);
			if (dataset['texts']) globalThis.siteTexts = { ...globalThis.siteTexts, ...file };
			await after(0);
		}
	};

	/** Resolves when the brand's logo is painted. */
	const logo = new Promise<void>((resolve) => {
		new PerformanceObserver((paints) => {
			if (paints.getEntriesByName('first-contentful-paint').length > 0) resolve();
		}).observe({ type: 'paint', buffered: true });
	});

	/** Puts the styles on the screen, which wait in the page as those of paper; without them it is shown nevertheless. */
	const showStyles = async (): Promise<void> => {
		const sheet = document.querySelector<HTMLLinkElement>('link[rel="stylesheet"]');
		if (!sheet) return;
		if (!sheet.sheet && !haveStylesFailed) {
			await new Promise((resolve) => {
				sheet.addEventListener('load', resolve);
				sheet.addEventListener('error', resolve);
			});
		}
		sheet.media = 'all';
	};

	// Now the page has named them all. The logo is painted before they take the processor; a hidden page paints nothing.
	document.addEventListener('DOMContentLoaded', () => {
		const shown = document.hidden ? undefined : Promise.race([logo, after(LOGO_WITHIN_MS)]);
		void Promise.all([showStyles(), shown]).then(runFiles);
	});
}
