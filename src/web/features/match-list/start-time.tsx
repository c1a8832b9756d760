import { type ReactElement, useSyncExternalStore } from 'react';
import { Icon } from '#ui/icon.tsx';
import { clock } from '#ui/icon-drawings.ts';
import { registerIcons } from '#ui/icon-registry.ts';
import { formatDay, formatTime } from '#web/format.ts';
import { everyMs, serverNow } from '#web/store/server-clock.ts';
import { TEXTS } from '#web/texts.ts';

registerIcons([clock]);

/** From here on the minutes are counted. */
const SOON_MINUTES = 10;

/** Often enough to count the last minutes. */
const everyTenSeconds = everyMs(10_000);

/** The time of a start and its day; in the last ten minutes the remaining minutes, with an icon and a colour. */
export function StartTime({ startsAt }: { startsAt: string }): ReactElement {
	const minutesLeft = () => Math.ceil((Date.parse(startsAt) - serverNow()) / 60_000);
	const left = useSyncExternalStore(everyTenSeconds, minutesLeft, minutesLeft);
	return (
		<time dateTime={startsAt} className="match-start">
			<b>{formatTime(startsAt)}</b>
			{left <= SOON_MINUTES ? (
				<span className="match-soon">
					<Icon solid size="sm">
						clock
					</Icon>
					{left > 0 ? TEXTS.matches.startsIn(left) : TEXTS.matches.startsNow}
				</span>
			) : (
				<span>{formatDay(startsAt, TEXTS.matches)}</span>
			)}
		</time>
	);
}
