/** The chips of the bet slip: the player's own, or those that the brand has for all others. They suit its currency. */

import { useMemo } from 'react';
import type { DomainSetting } from '#contract/domain-setting.ts';
import { fromWire } from '#web/api/units.ts';
import { useBrand } from '#web/store/brand.ts';
import { PRESET_FIELDS, type Preset, useSession } from '#web/store/session.ts';

const chosen = (own: readonly Preset[] | null, setting: DomainSetting | null): readonly Preset[] =>
	own ?? fromWire(structuredClone(setting?.defaultStakes ?? []), PRESET_FIELDS);

export const presetsNow = (): readonly Preset[] => chosen(useSession.getState().stakes, useBrand.getState().setting);

/** Made once for a setting: a ladder draws its chips again with each move of its prices. */
export function usePresets(): readonly Preset[] {
	const own = useSession(({ stakes }) => stakes);
	const setting = useBrand((state) => state.setting);
	return useMemo(() => chosen(own, setting), [own, setting]);
}
