import { type ReactElement, useEffect, useState } from 'react';
import { Icon } from '#ui/icon.tsx';
import { clock } from '#ui/icon-drawings.ts';
import { registerIcons } from '#ui/icon-registry.ts';
import { formatDay, formatTime } from '#web/format.ts';
import { TEXTS } from '#web/texts.ts';

registerIcons([clock]);

const MINUTE_MS = 60_000;
/** From here on the minutes are counted. */
const SOON_MS = 10 * MINUTE_MS;
const LOOK_EVERY_MS = 10_000;

const minutesLeft = (left: number): number => Math.max(1, Math.ceil(left / MINUTE_MS));

/** Milliseconds until a moment, updated often enough to count its last minutes. */
function useLeft(iso: string): number {
	const [now, setNow] = useState(Date.now);
	useEffect(() => {
		const timer = setInterval(() => document.hidden || setNow(Date.now()), LOOK_EVERY_MS);
		return () => clearInterval(timer);
	}, []);
	return Date.parse(iso) - now;
}

/** The time of a start and its day; in the last ten minutes the remaining minutes, with an icon and a colour. */
export function StartTime({ startsAt }: { startsAt: string }): ReactElement {
	const left = useLeft(startsAt);
	return (
		<time dateTime={startsAt} className="match-start">
			<b>{formatTime(startsAt)}</b>
			{left <= SOON_MS ? (
				<span className="match-soon">
					<Icon solid size="sm">
						clock
					</Icon>
					{left > 0 ? TEXTS.matches.startsIn(minutesLeft(left)) : TEXTS.matches.startsNow}
				</span>
			) : (
				<span>{formatDay(startsAt, TEXTS.matches)}</span>
			)}
		</time>
	);
}
