/** Which of the frame's dialogs is open; features open them by this store because they do not know one another. */

import { create } from 'zustand';

export interface Dialogs {
	/** The login dialog and the tab it shows. */
	login: 'closed' | 'login' | 'register';
	/** The bet slip's sheet on a phone; on a desktop the slip is always in its column. */
	slipSheet: boolean;
}

export const useDialogs = create<Dialogs>(() => ({ login: 'closed', slipSheet: false }));

export const openLoginDialog = (tab: 'login' | 'register' = 'login'): void => useDialogs.setState({ login: tab });
export const closeLoginDialog = (): void => useDialogs.setState({ login: 'closed' });
export const showSlipSheet = (open: boolean): void => useDialogs.setState({ slipSheet: open });
