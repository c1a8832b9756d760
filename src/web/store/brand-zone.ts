/** The zone whose days the server counts: that of the jurisdiction's profile, or the brand's own. */
import { zoneAt } from '#contract/rules-at.ts';
import { HOME_ZONE } from '#values/zoned-calendar.ts';
import { useBrand } from '#web/store/brand.ts';
import { serverNow } from '#web/store/server-clock.ts';

export function brandZone(): string {
	const { setting } = useBrand.getState();
	return setting ? zoneAt(setting, serverNow()) : HOME_ZONE;
}
