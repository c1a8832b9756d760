/** Which fields of the hub's messages hold amounts and prices; the build works it out, as it does for calls. */
import type { HubCode } from '#contract/hub-messages.ts';
import { HUB_SCHEMAS } from '#contract/hub-schemas.ts';
import { type Table, tableOf } from '#web/api/unit-tables.ts';

export const HUB_FIELDS: Table<HubCode> = tableOf(HUB_SCHEMAS);
