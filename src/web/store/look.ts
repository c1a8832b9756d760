/** The theme that is shown, and the pictures that depend on it. The system's colour scheme has no say in either. */

import { themedPicture } from '#contract/themed-picture.ts';
import type { Theme } from '#values/themes.ts';
import { useBrand } from '#web/store/brand.ts';
import { usePreferences } from '#web/store/preferences.ts';

/** The player's own theme, otherwise the brand's. */
export function useTheme(): Theme {
	const brandTheme = useBrand((state) => state.setting?.theme ?? 'dark');
	return usePreferences((preferences) => preferences.theme) ?? brandTheme;
}

/** The brand's logo, of the frame or of the log-in page; undefined while no setting is known. */
export function useLogo(place: 'main' | 'auth' = 'main'): string | undefined {
	const theme = useTheme();
	return useBrand(({ setting }) => {
		if (!setting) return undefined;
		return place === 'main'
			? themedPicture(theme, setting.mainLogo, setting.mainLogoLight)
			: themedPicture(theme, setting.authLogoImage, setting.authLogoImageLight);
	});
}
