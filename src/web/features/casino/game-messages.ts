/**
 * Messages of a provider's game in its frame to this page. A message moves no money and opens nothing: balances come
 * from the server. Any other message is ignored.
 */

interface GameEvent {
	/** ready: it can be played · round, ended: a round began or was decided · refused: with the wallet's status. */
	event: 'ready' | 'round' | 'ended' | 'refused';
	status: string | null;
}

const EVENTS: ReadonlySet<string> = new Set<GameEvent['event']>(['ready', 'round', 'ended', 'refused']);

/** Null if it is not a message of a game. */
export function gameEventOf(data: unknown): GameEvent | null {
	if (typeof data !== 'object' || data === null) return null;
	const { type, event, status } = data as Record<string, unknown>;
	if (type !== 'backlay-game' || typeof event !== 'string' || !EVENTS.has(event)) return null;
	return { event: event as GameEvent['event'], status: typeof status === 'string' ? status : null };
}
