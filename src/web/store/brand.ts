/**
 * The site's state, outside any feature. This file: the domain setting of the host. It comes with the page, so that the
 * first screen needs no call. It is loaded at start, and again every second, when the hub reports a change, and when the
 * page becomes visible.
 */

import { create } from 'zustand';
import type { DomainSetting } from '#contract/domain-setting.ts';
import { DomainFailure, fetchDomainSetting } from '#web/api/domain-setting-file.ts';
import { IS_PREVIEW } from '#web/api/preview.ts';
import { setHosts } from '#web/api/server-address.ts';
import { readStored, removeStored, writeStored, writeStoredJson } from '#web/api/storage.ts';
import { pause } from '#web/pause.ts';
import { TEXTS } from '#web/texts.ts';

interface BrandState {
	/** The last setting seen; null while none is known. */
	setting: DomainSetting | null;
	/** False until a setting came with the page or the first load succeeded or failed; the router view waits for it. */
	loaded: boolean;
	/** True sends every navigation to /under-maintenance. */
	suspended: boolean;
	/** Why the setting could not be loaded, such as `HTTP error 503`. */
	failure: string | null;
	/** What the server itself said about that. */
	serverMessage: string | null;
}

export const useBrand = create<BrandState>(() => ({
	setting: null,
	loaded: false,
	suspended: readStored('siteSuspended') === 'true',
	failure: null,
	serverMessage: null,
}));

const POLL_MS = 1000;
const POLL_TIMEOUT_MS = 5000;
const RETRY_DELAYS_MS = [0, 400, 1200];
/** A single lost poll changes nothing; this number of consecutive bad answers means that the site is down. */
const BAD_POLLS_UNTIL_SUSPENDED = 3;

let etag: string | null = null;
let heldText = '';
/** Requests are numbered as they are sent, so that a late answer to an early one is ignored. */
let lastAsked = 0;
let lastHeld = 0;

function hold(setting: DomainSetting): void {
	const text = JSON.stringify(setting);
	const { loaded, suspended, failure } = useBrand.getState();
	if (text === heldText && loaded && suspended === setting.siteSuspended && failure === null) return;
	heldText = text;
	setHosts(setting);
	writeStoredJson('domainSetting', setting);
	writeStored('siteSuspended', String(setting.siteSuspended));
	if (setting.baseUrl) writeStored('baseUrl', setting.baseUrl);
	else removeStored('baseUrl');
	useBrand.setState({
		setting,
		loaded: true,
		suspended: setting.siteSuspended,
		failure: null,
		serverMessage: null,
	});
}

function suspend(failure: unknown): void {
	writeStored('siteSuspended', 'true');
	const answered = failure instanceof DomainFailure;
	useBrand.setState({
		loaded: true,
		suspended: true,
		failure: answered ? failure.message : TEXTS.failures.network,
		serverMessage: answered ? failure.said : null,
	});
}

/** Requests the host's file, or the default file if the server does not know the host. Null means unchanged. */
async function fetchOnce(host: string, signal?: AbortSignal) {
	const abort = signal ? { signal } : {};
	try {
		return await fetchDomainSetting({ host, etag, ...abort });
	} catch (failure) {
		if (!(failure instanceof DomainFailure) || failure.status !== 404) throw failure;
		return fetchDomainSetting({ host, etag, file: 'default', ...abort });
	}
}

async function fetchAndHold(signal?: AbortSignal): Promise<void> {
	lastAsked += 1;
	const asked = lastAsked;
	const file = await fetchOnce(globalThis.location.hostname, signal);
	if (asked < lastHeld) return;
	lastHeld = asked;
	if (file === null) {
		// The held setting is current, so a suspension that the client assumed has ended.
		const { setting } = useBrand.getState();
		if (setting) hold(setting);
		return;
	}
	etag = file.etag;
	hold(file.setting);
}

/** Takes the setting that the server put into the page; without one, as under `vite`, the first load is awaited. */
export function takePageSetting(): void {
	const element = document.querySelector<HTMLElement>('#domain-setting');
	if (!element) return;
	etag = element.dataset['etag'] ?? null;
	hold(JSON.parse(element.textContent, TEXTS.named) as DomainSetting);
}

/** Loads the setting, with retries; when all fail the site counts as suspended. Never throws. */
export async function loadBrand(): Promise<void> {
	if (IS_PREVIEW) return;
	let last: unknown;
	for (const delay of RETRY_DELAYS_MS) {
		if (delay > 0) await pause(delay);
		try {
			await fetchAndHold();
			return;
		} catch (failure) {
			last = failure;
		}
	}
	// A device without a network proves nothing about a site that it has shown before.
	const { loaded, setting } = useBrand.getState();
	if (navigator.onLine || !(loaded || setting)) suspend(last);
	else useBrand.setState({ loaded: true });
}

/** One poll: the server's bad answer, or null if all is well or there was no answer. */
async function pollFailure(): Promise<DomainFailure | null> {
	try {
		await fetchAndHold(AbortSignal.timeout(POLL_TIMEOUT_MS));
		return null;
	} catch (failure) {
		// A fetch without an answer is a lost connection: the page reports that it is offline and stays open.
		return failure instanceof DomainFailure ? failure : null;
	}
}

/** Starts the one-second poll and the reload on becoming visible; returns the function that ends both. */
export function watchBrand(): () => void {
	if (IS_PREVIEW) return () => undefined;
	let timer: ReturnType<typeof setTimeout> | undefined;
	let ended = false;
	let bad = 0;
	const poll = async () => {
		if (!document.hidden) {
			const failure = await pollFailure();
			bad = failure ? bad + 1 : 0;
			if (failure && bad >= BAD_POLLS_UNTIL_SUSPENDED && !useBrand.getState().suspended) suspend(failure);
		}
		if (!ended) timer = setTimeout(poll, POLL_MS);
	};
	const onVisible = () => {
		if (!document.hidden) void loadBrand();
	};
	timer = setTimeout(poll, POLL_MS);
	document.addEventListener('visibilitychange', onVisible);
	return () => {
		ended = true;
		clearTimeout(timer);
		document.removeEventListener('visibilitychange', onVisible);
	};
}
