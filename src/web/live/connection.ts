/** The state of the connection in words for the player: lost, or no network at all. Prices are paused by channel. */

import { create } from 'zustand';

interface ConnectionState {
	/** There is no connection, although there was time enough to make one. */
	lost: boolean;
	/** False when the device itself has no network. */
	online: boolean;
}

export const useConnection = create<ConnectionState>(() => ({ lost: false, online: true }));
