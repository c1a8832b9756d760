/** Days of the books' calendar, as reports name them. */
import { useMe } from '#console/api/queries.ts';
import { dayName, dayOf, HOME_ZONE } from '#values/zoned-calendar.ts';

/** Names a day of the books: today with 0, yesterday with 1. */
export function useDayBefore(): (days: number) => string {
	const { data: me } = useMe();
	const zone = me?.booksZone || HOME_ZONE;
	return (days) => dayName(dayOf(Date.now(), zone) - days);
}
