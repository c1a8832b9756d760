/**
 * The service worker: caches the site's own files, so that the page opens without a network and reports that it is
 * offline. It answers only navigations and files of the build. Calls and settings always go to the network, because a
 * cached answer could show wrong amounts.
 */

/** The files of the build; a new build is a new list, so the browser sees a new worker. Filled in by vite.config.ts. */
const BUILD: { name: string; files: string[] } = JSON.parse('__BUILD__');
const PAGE = '/';
/** The files of the page's language, which the build does not list. */
const TEXTS = /<link [^>]*data-language[^>]*href="([^"]+)"/g;

interface Lasting extends Event {
	waitUntil(work: Promise<unknown>): void;
}
interface Fetching extends Lasting {
	readonly request: Request;
	respondWith(answer: Promise<Response>): void;
}
interface Pushed extends Lasting {
	readonly data: { json(): unknown } | null;
}
interface Pressed extends Lasting {
	readonly notification: Notification;
}
/** A window of the site. */
interface Page {
	readonly url: string;
	focus(): Promise<unknown>;
	navigate(url: string): Promise<unknown>;
}
interface Worker {
	addEventListener(type: 'install' | 'activate', listener: (event: Lasting) => void): void;
	addEventListener(type: 'fetch', listener: (event: Fetching) => void): void;
	addEventListener(type: 'push', listener: (event: Pushed) => void): void;
	addEventListener(type: 'notificationclick', listener: (event: Pressed) => void): void;
	skipWaiting(): Promise<void>;
	readonly registration: ServiceWorkerRegistration;
	readonly clients: {
		claim(): Promise<void>;
		matchAll(of: { type: 'window'; includeUncontrolled: boolean }): Promise<Page[]>;
		openWindow(url: string): Promise<unknown>;
	};
}
const worker = globalThis as unknown as Worker;

async function keepBuild(): Promise<void> {
	const cache = await caches.open(BUILD.name);
	const page = await fetch(PAGE, { cache: 'no-cache' });
	if (!isPage(page)) throw new TypeError(`The page answers ${page.status}.`);
	const texts = [...(await page.clone().text()).matchAll(TEXTS)].flatMap(([, file]) => file ?? []);
	await cache.put(PAGE, page);
	await cache.addAll([...BUILD.files, ...new Set(texts)]);
	await worker.skipWaiting();
}

async function dropOldBuilds(): Promise<void> {
	for (const name of await caches.keys()) if (name !== BUILD.name) await caches.delete(name);
	await worker.clients.claim();
}

/**
 * The site's own page, in the language that it says it is in. Other pages of the host, such as the documents of the calls,
 * say none.
 */
const isPage = ({ ok, headers }: Response): boolean =>
	ok && (headers.get('Content-Type') ?? '').includes('text/html') && headers.has('Content-Language');

/** From the network, and kept as the page to show without one; a brand's new looks are kept that way too. */
async function page(request: Request): Promise<Response> {
	const cache = await caches.open(BUILD.name);
	try {
		const response = await fetch(request);
		if (isPage(response)) await cache.put(PAGE, response.clone());
		return response;
	} catch (failure) {
		const kept = await cache.match(PAGE);
		if (kept) return kept;
		throw failure;
	}
}

/** Files of the build never change under their name; pictures of brands may, so for those the network comes first. */
async function file(request: Request, path: string): Promise<Response> {
	const cache = await caches.open(BUILD.name);
	const kept = await cache.match(request);
	if (kept && path.startsWith('/assets/')) return kept;
	try {
		const response = await fetch(request);
		if (response.ok) await cache.put(request, response.clone());
		return response;
	} catch (failure) {
		if (kept) return kept;
		throw failure;
	}
}

/** As the server writes it, for this browser alone. */
interface Notice {
	title: string;
	body: string;
	url: string;
	tag: string;
}

/** A later notice of the same tag takes the place of the first. */
async function show({ data }: Pushed): Promise<void> {
	const { title, body, url, tag } = (data?.json() ?? {}) as Partial<Notice>;
	if (!title) return;
	await worker.registration.showNotification(title, { body: body ?? '', tag: tag ?? '', data: url ?? PAGE });
}

/** Opens the page of a notice, in a window of the site if there is one. */
async function open({ notification }: Pressed): Promise<void> {
	notification.close();
	const { origin } = globalThis.location;
	const url = new URL(String(notification.data), origin);
	if (url.origin !== origin) return;
	const [page] = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true });
	if (!page) return void (await worker.clients.openWindow(url.href));
	await page.focus();
	// A window that another worker serves, such as one from before, is left as it is.
	await page.navigate(url.href).catch(() => worker.clients.openWindow(url.href));
}

worker.addEventListener('push', (event) => event.waitUntil(show(event)));
worker.addEventListener('notificationclick', (event) => event.waitUntil(open(event)));
worker.addEventListener('install', (event) => event.waitUntil(keepBuild()));
worker.addEventListener('activate', (event) => event.waitUntil(dropOldBuilds()));
worker.addEventListener('fetch', (event) => {
	const { request } = event;
	const { origin, pathname } = new URL(request.url);
	if (request.method !== 'GET' || origin !== globalThis.location.origin) return;
	if (request.mode === 'navigate') event.respondWith(page(request));
	else if (/^\/(assets|brands)\//.test(pathname)) event.respondWith(file(request, pathname));
});
