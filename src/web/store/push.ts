/** Notifications of this browser: what the player wants, and whether the browser is subscribed. */
import { queryOptions } from '@tanstack/react-query';
import { call } from '#web/api/client.ts';
import type { AnswerOf } from '#web/api/units.ts';
import { stepsOfLogin } from '#web/store/same-login.ts';

export type PushState = AnswerOf<'getPush'>;

export const pushQuery = () =>
	queryOptions({
		queryKey: ['player', 'push'],
		queryFn: async ({ signal }) => {
			const browser = await ownHash();
			return await call('getPush', browser === null ? {} : { browser }, { signal });
		},
		staleTime: 0,
	});

/** Whether this browser knows notifications. Some know them only once the site is installed. */
export const knowsPush = (): boolean =>
	'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis;

/** Why this browser was not subscribed: the player or the browser refused. */
export class PushRefused extends Error {}

/** The browser's subscription; null without one. */
async function ownSubscription(): Promise<PushSubscription | null> {
	const registration = await navigator.serviceWorker.getRegistration();
	return (await registration?.pushManager.getSubscription()) ?? null;
}

/** The name by which the server is asked about this browser's subscription; null without one. */
async function ownHash(): Promise<string | null> {
	const subscription = knowsPush() ? await ownSubscription() : null;
	if (!subscription) return null;
	return textOf(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(subscription.endpoint)));
}

/** Base64url, as calls carry it. */
function textOf(key: ArrayBuffer | null): string {
	const bytes = String.fromCharCode(...new Uint8Array(key ?? new ArrayBuffer(0)));
	return btoa(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Asks the player, then the browser, and tells the server. @throws PushRefused, CallFailure; after another log-in */
export async function subscribePush(publicKey: string): Promise<PushState> {
	const step = stepsOfLogin();
	if ((await Notification.requestPermission()) !== 'granted') throw new PushRefused();
	const registration = await step(() => navigator.serviceWorker.ready);
	const before = await registration.pushManager.getSubscription();
	// A subscription for an earlier key of the server takes no notifications of this one.
	if (before && textOf(before.options.applicationServerKey) !== publicKey) await before.unsubscribe();
	const subscription = await registration.pushManager
		.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
		.catch(() => null);
	if (!subscription) throw new PushRefused();
	return await step(() =>
		call('subscribePush', {
			endpoint: subscription.endpoint,
			p256dh: textOf(subscription.getKey('p256dh')),
			auth: textOf(subscription.getKey('auth')),
		}),
	);
}

/** The server forgets this browser first, so that a failure leaves nothing half done. @throws after another log-in */
export async function unsubscribePush(): Promise<PushState | null> {
	const step = stepsOfLogin();
	const subscription = await ownSubscription();
	if (!subscription) return null;
	const left = await step(() => call('unsubscribePush', { endpoint: subscription.endpoint }));
	await step(() => subscription.unsubscribe());
	return left;
}
