/** Reading significant events. */
import { isoTime } from '#server/exchange/views/wire-views.ts';
import type { ActsOf } from '#server/operators/act.ts';
import { PAGE, significantEvents } from '#server/operators/significant-events/significant-events.ts';
import { visibleBrands } from '#server/operators/today-acts.ts';
import { Refused } from '#values/error-catalogue.ts';
import { majorFromMinor } from '#values/money.ts';
import { DAY_MS, HOUR_MS } from '#values/time.ts';
import { dayNumber, dayStart, startOfDate } from '#values/zoned-calendar.ts';

/** A longer period has to be requested in parts. */
const MOST_DAYS = 31;

export const SIGNIFICANT_EVENT_ACTS: ActsOf<'significant-events'> = {
	'significant-events': async ({ from, to, kind, brand, playerId, before }, parts, { member }) => {
		const [fromMs, toMs] = [startOfDate(from, parts.booksZone), dayStart(dayNumber(to) + 1, parts.booksZone)];
		if (toMs <= fromMs || toMs - fromMs > MOST_DAYS * DAY_MS + HOUR_MS)
			throw new Refused('VALIDATION_FAILED', {}, `The period has between 1 and ${MOST_DAYS} days.`);
		const [atMs, id] = before.split(' ');
		const events = await significantEvents(parts.reads, {
			fromMs,
			toMs,
			hosts: visibleBrands(parts, member)
				.map(({ host }) => host)
				.filter((host) => brand === '' || host === brand),
			withHouse: (member?.brands ?? null) === null && brand === '',
			kind,
			playerId: playerId === '' ? null : Number(playerId),
			before: id === undefined ? null : { atMs: Number(atMs), id },
		});
		const page = events.slice(0, PAGE);
		const last = page.at(-1);
		return {
			rows: page.map(({ at, amount, playerId: player, ...event }) => ({
				...event,
				at: isoTime(at),
				playerId: player === null ? null : String(player),
				amount: amount === null ? null : majorFromMinor(amount),
			})),
			next: events.length > PAGE && last ? `${last.at} ${last.id}` : null,
		};
	},
};
