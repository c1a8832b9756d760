/**
 * The service worker: caches the site's own files, so that the page opens without a network and reports that it is
 * offline. It answers only navigations and files of the build. Calls and settings always go to the network, because a
 * cached answer could show wrong amounts. Files that the first page does not need are kept one at a time, whenever an open
 * page has nothing else to do and asks for it (keep-files.ts).
 */

/**
 * The files of the build; a new build is a new list, so the browser sees a new worker. Filled in by vite.config.ts. Those of
 * `atOnce` may be needed without a network before any other.
 */
const BUILD: { name: string; files: string[]; atOnce: string[] } = JSON.parse('__BUILD__');
const PAGE = '/';
/** The files that the page names, with those of its language, which the build does not list. */
const NAMED = /href="(\/assets\/[^"]+)"/g;

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
/** A page asks for more to be kept. */
interface Asked extends Lasting {
	/** The files that the page has loaded: the browser has them, so they come first and cost no network. */
	readonly data: { keep?: readonly string[] } | null;
	readonly ports: readonly MessagePort[];
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
	addEventListener(type: 'message', listener: (event: Asked) => void): void;
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

/** What the build before has under the same name is the same file. */
async function keepFile(cache: Cache, path: string): Promise<void> {
	const before = await caches.match(path);
	const response = before ?? (await fetch(path, { priority: 'low' }));
	if (!response.ok) throw new TypeError(`${path} answers ${response.status}.`);
	await cache.put(path, response);
}

/** The page and what it names: an open page has loaded them already. */
async function keepPage(): Promise<void> {
	const cache = await caches.open(BUILD.name);
	const page = await fetch(PAGE, { cache: 'no-cache' });
	if (!isPage(page)) throw new TypeError(`The page answers ${page.status}.`);
	const named = [...(await page.clone().text()).matchAll(NAMED)].flatMap(([, file]) => file ?? []);
	await cache.put(PAGE, page);
	for (const file of new Set([...named, ...BUILD.atOnce])) await keepFile(cache, file);
	for (const file of BUILD.files) if (await caches.match(file)) await keepFile(cache, file);
	await worker.skipWaiting();
}

/** @returns how many files of the build are left */
async function keepMore(loaded: readonly string[]): Promise<number> {
	const cache = await caches.open(BUILD.name);
	const kept = new Set((await cache.keys()).map(({ url }) => new URL(url).pathname));
	const missing = BUILD.files.filter((file) => !kept.has(file));
	const wanted = loaded.length > 0 ? missing.filter((file) => loaded.includes(file)) : missing.slice(0, 1);
	for (const file of wanted) await keepFile(cache, file);
	return missing.length - wanted.length;
}

/** Several pages may ask: the files are kept one by one nevertheless. A file that does not come ends it until the next start. */
let keeping: Promise<number | null> = Promise.resolve(null);
function keep({ data, ports: [port] }: Asked): Promise<void> {
	const more = () => keepMore(data?.keep ?? []);
	keeping = keeping.then(more).catch(() => null);
	return keeping.then((left) => port?.postMessage(left));
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
worker.addEventListener('install', (event) => event.waitUntil(keepPage()));
worker.addEventListener('activate', (event) => event.waitUntil(dropOldBuilds()));
worker.addEventListener('message', (event) => event.waitUntil(keep(event)));
worker.addEventListener('fetch', (event) => {
	const { request } = event;
	const { origin, pathname } = new URL(request.url);
	if (request.method !== 'GET' || origin !== globalThis.location.origin) return;
	if (request.mode === 'navigate') event.respondWith(page(request));
	else if (/^\/(assets|brands)\//.test(pathname)) event.respondWith(file(request, pathname));
});
