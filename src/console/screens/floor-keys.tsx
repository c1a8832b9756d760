/** The keys of the trading floor, for one hand: through the matches, stop one, resume it, stop everything. */
import { type ReactElement, useEffect, useRef, useState } from 'react';
import type { ResultOf } from '#console/api/operate.ts';
import { useAct, useCall } from '#console/api/queries.ts';
import { sportName } from '#console/parts/format.ts';
import { isFreeKey } from '#console/parts/free-key.ts';
import { Problem } from '#console/parts/loaded.tsx';
import type { SPORTS } from '#values/sports.ts';

type Match = ResultOf<'floor'>[number];

/** How long a first press of the panic key waits for the second. */
const ARMED_MS = 3_000;
const TABLE = 'section[aria-label="Matches"]';

/** Left-hand letters beside the arrows and Enter. */
const MOVES: Readonly<Record<string, string>> = {
	d: 'ArrowDown',
	e: 'ArrowUp',
	ArrowDown: 'ArrowDown',
	ArrowUp: 'ArrowUp',
};

const rowInFocus = (): HTMLElement | null =>
	document.activeElement?.closest<HTMLElement>(`${TABLE} tr[data-key]`) ?? null;

/** Moves the focus through the rows as the table's own keys do; the first press only takes it there. */
function moveBy(key: string): void {
	const row = rowInFocus();
	if (row) row.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
	else document.querySelector<HTMLElement>(`${TABLE} tr[tabindex="0"]`)?.focus();
}

interface FloorKeysProps {
	matches: readonly Match[];
	/** What the panic key stops; without one, everything. */
	sport: (typeof SPORTS)[number]['key'] | undefined;
	onOpen: (eventId: string) => void;
}

export function FloorKeys({ matches, sport, onOpen }: FloorKeysProps): ReactElement {
	const panic = useAct('panic');
	const resume = useAct('resume-all');
	const presses = useCall('presses', {});
	const [armedAt, setArmedAt] = useState<number | null>(null);
	const [said, setSaid] = useState('');
	const chosen = () => matches.find(({ eventId }) => eventId === rowInFocus()?.dataset['key']);
	const say = (text: string) => setSaid(text);
	const withMatch = (run: (match: Match) => void) => {
		const match = chosen();
		if (match) run(match);
		else say('Choose a match with ↑ ↓ first.');
	};
	const suspend = () =>
		withMatch(({ eventId, event }) =>
			panic.mutate({ eventId }, { onSuccess: ({ suspended }) => say(`${event}: ${suspended} suspended.`) }),
		);
	const resumeLast = () =>
		withMatch(({ eventId, event }) => {
			const press = presses.data?.find(({ scope, standing }) => scope === `event ${eventId}` && standing > 0);
			if (!press) return say(`${event}: no press holds it.`);
			return resume.mutate(
				{ pressId: press.pressId },
				{ onSuccess: ({ resumed, released }) => say(`${event}: ${resumed + released} resumed.`) },
			);
		});
	const stopAll = () => {
		if (armedAt === null) return setArmedAt(performance.now());
		setArmedAt(null);
		return panic.mutate(sport ? { sport } : { isAll: true }, {
			onSuccess: ({ suspended }) => say(`Everything${sport ? ` of ${sportName(sport)}` : ''}: ${suspended} suspended.`),
		});
	};
	const acts: Readonly<Record<string, () => void>> = {
		s: suspend,
		r: resumeLast,
		p: stopAll,
		f: () => withMatch(({ eventId }) => onOpen(eventId)),
		'/': () => document.querySelector<HTMLElement>(`${TABLE} input[type="search"]`)?.focus(),
	};
	useFloorKeys((key, isRepeat) => {
		if (key !== 'p') setArmedAt(null);
		const move = MOVES[key];
		// The table moves by itself once one of its rows has the focus.
		if (move && key === move && rowInFocus()) return false;
		if (move) moveBy(move);
		// A key that is held down is one press.
		else if (!Object.hasOwn(acts, key)) return false;
		else if (!isRepeat) acts[key]?.();
		return true;
	});
	useEffect(() => {
		if (armedAt === null) return;
		const timer = setTimeout(() => setArmedAt(null), ARMED_MS);
		return () => clearTimeout(timer);
	}, [armedAt]);
	return (
		<>
			<p className="text-muted">
				Keys: <kbd>↑</kbd> <kbd>↓</kbd> or <kbd>e</kbd> <kbd>d</kbd> choose a match, <kbd>Enter</kbd> or <kbd>f</kbd>{' '}
				opens it, <kbd>s</kbd> suspends it, <kbd>r</kbd> resumes its last press, <kbd>p</kbd> <kbd>p</kbd> suspends{' '}
				{sport ? `all of ${sportName(sport)}` : 'everything'}, <kbd>/</kbd> filters, <kbd>?</kbd> shows all keys
			</p>
			{armedAt !== null && (
				<p className="problem" role="alert">
					Press p again to suspend {sport ? `everything of ${sportName(sport)}` : 'everything'}; any other key stops it.
				</p>
			)}
			<output aria-label="What the keys did">{said}</output>
			<Problem error={panic.error ?? resume.error} />
		</>
	);
}

/** @param press what a key does; true when it was one of the floor's */
function useFloorKeys(press: (key: string, isRepeat: boolean) => boolean): void {
	const latest = useRef(press);
	useEffect(() => {
		latest.current = press;
	});
	useEffect(() => {
		let isGoing = false;
		const listen = (event: KeyboardEvent) => {
			if (!isFreeKey(event) || !event.isTrusted) return;
			// The key after g names a screen.
			const wasGoing = isGoing;
			isGoing = event.key === 'g';
			if (wasGoing || event.shiftKey || !latest.current(event.key, event.repeat)) return;
			event.preventDefault();
			event.stopImmediatePropagation();
		};
		// Before the frame's keys, which take some of the same.
		globalThis.addEventListener('keydown', listen, { capture: true });
		return () => globalThis.removeEventListener('keydown', listen, { capture: true });
	}, []);
}
