/** The zone whose days the server counts: that of the jurisdiction's profile, or the brand's own. */
import { zoneAt } from '#contract/rules-at.ts';
import { HOME_ZONE } from '#values/zoned-calendar.ts';
import { useBrand } from '#web/store/brand.ts';

export function brandZone(): string {
	const { setting } = useBrand.getState();
	return setting ? zoneAt(setting, Date.now()) : HOME_ZONE;
}
