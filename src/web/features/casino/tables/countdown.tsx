import { type ReactElement, useEffect, useState } from 'react';

const CIRCUMFERENCE = 2 * Math.PI * 20;
/** The last seconds are marked. */
const LAST_MS = 4_000;

function useSecondsLeft(untilMs: number): number {
	const [now, setNow] = useState(() => performance.now());
	useEffect(() => {
		const timer = setInterval(() => setNow(performance.now()), 100);
		return () => clearInterval(timer);
	}, []);
	return Math.max(0, untilMs - now);
}

/** How long bets are taken yet: a ring that empties, and the seconds in it. */
export function Countdown({ untilMs, windowMs }: { untilMs: number; windowMs: number }): ReactElement {
	const leftMs = useSecondsLeft(untilMs);
	return (
		<div className="countdown" data-last={leftMs < LAST_MS || undefined} aria-hidden="true">
			<svg viewBox="0 0 48 48">
				<circle cx="24" cy="24" r="20" className="countdown-track" />
				<circle
					cx="24"
					cy="24"
					r="20"
					className="countdown-left"
					strokeDasharray={CIRCUMFERENCE}
					strokeDashoffset={CIRCUMFERENCE * (1 - Math.min(1, leftMs / windowMs))}
				/>
			</svg>
			<b>{Math.ceil(leftMs / 1_000)}</b>
		</div>
	);
}
