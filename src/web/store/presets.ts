/** The chips of the bet slip: the player's own, or those that the brand has for all others. They suit its currency. */

import type { DomainSetting } from '#contract/domain-setting.ts';
import { fromWire } from '#web/api/units.ts';
import { useBrand } from '#web/store/brand.ts';
import { type Preset, useSession } from '#web/store/session.ts';

const chosen = (own: readonly Preset[] | null, setting: DomainSetting | null): readonly Preset[] =>
	own ?? fromWire(structuredClone(setting?.defaultStakes ?? []), { value: 1 });

export const presetsNow = (): readonly Preset[] => chosen(useSession.getState().stakes, useBrand.getState().setting);

export const usePresets = (): readonly Preset[] =>
	chosen(
		useSession(({ stakes }) => stakes),
		useBrand(({ setting }) => setting),
	);
