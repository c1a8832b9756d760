/** How a page follows rounds that everybody plays: messages of the hub, and a snapshot wherever some may have been missed. */
import type { Channel } from '#contract/hub-messages.ts';
import { useHub } from '#web/live/hub.ts';
import { channels } from '#web/store/channels.ts';
import { useSession } from '#web/store/session.ts';

/** A snapshot that failed is asked for again after so long. */
const RETRY_MS = 2_000;

/** Whoever asks while an answer is on its way shares it. */
export function sharedAsk(ask: () => Promise<void>): () => Promise<void> {
	let asking: Promise<void> | null = null;
	return () => {
		asking ??= ask().finally(() => {
			asking = null;
		});
		return asking;
	};
}

/**
 * Follows a channel, and asks for a snapshot at once, after a reconnect, after a change of login and while the last try
 * failed.
 * @param onLogin forgets what belonged to the player before
 * @returns what ends it
 */
export function followRounds({
	channel,
	refresh,
	isAway,
	onLogin,
}: {
	channel: Channel;
	refresh: () => Promise<void>;
	isAway: () => boolean;
	onLogin: () => void;
}): () => void {
	void refresh();
	const ends = [
		channels.subscribe(channel),
		useHub.subscribe(({ state }, before) => {
			if (state === 'Connected' && before.state !== 'Connected') void refresh();
		}),
		useSession.subscribe(({ loginCount }, before) => {
			if (loginCount === before.loginCount) return;
			onLogin();
			void refresh();
		}),
	];
	const retry = setInterval(() => {
		if (isAway()) void refresh();
	}, RETRY_MS);
	return () => {
		clearInterval(retry);
		for (const end of ends) end();
	};
}
