/** The slip as another tab changes it. Loaded with the hub, after the first screen: the session has then heard first who is logged in. */
import { followSlip } from '#web/store/slip.ts';

/** @returns the function that ends it */
export function watchSlip(): () => void {
	const onStorage = ({ key }: StorageEvent) => {
		if (key === null || key === 'betslips') followSlip();
	};
	globalThis.addEventListener('storage', onStorage);
	// What was changed while the page loaded.
	followSlip();
	return () => globalThis.removeEventListener('storage', onStorage);
}
