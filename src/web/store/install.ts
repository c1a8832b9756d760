/**
 * The site as an app of the device. The browser says whether it can be installed; the player is asked once, after the
 * first bet that won, and never again.
 */
import { create } from 'zustand';
import { readStored, writeStored } from '#web/api/storage.ts';

/** As Chromium has it; other browsers have none, and their players none of this. */
interface InstallEvent extends Event {
	prompt(): Promise<unknown>;
}

interface Install {
	/** The browser's offer; null while it makes none. */
	offer: InstallEvent | null;
	wasAsked: boolean;
}

export const useInstall = create<Install>(() => ({
	offer: null,
	wasAsked: readStored('installAsked') !== null,
}));

globalThis.addEventListener?.('beforeinstallprompt', (event) => {
	// The browser's own banner would come before anything was won.
	event.preventDefault();
	useInstall.setState({ offer: event as InstallEvent });
});

/** The player has answered; with yes the browser asks once more, in its own words. */
export async function answerInstall(isWanted: boolean): Promise<void> {
	const { offer } = useInstall.getState();
	writeStored('installAsked', 'true');
	useInstall.setState({ wasAsked: true, offer: null });
	if (isWanted) await offer?.prompt();
}
