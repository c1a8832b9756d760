/** Which of the frame's dialogs is open; features open them by this store because they do not know one another. */

import { create } from 'zustand';

export interface Dialogs {
	/** The login dialog and the tab it shows. */
	login: 'closed' | 'login' | 'register';
	/** Where a visitor wanted to go when he was asked to log in; he is taken there afterwards. */
	afterLogin: string | null;
	/** The bet slip's sheet on a phone; on a desktop the slip is always in its column. */
	slipSheet: boolean;
}

export const useDialogs = create<Dialogs>(() => ({ login: 'closed', afterLogin: null, slipSheet: false }));

export const openLoginDialog = (afterLogin: string | null = null): void =>
	useDialogs.setState({ login: 'login', afterLogin });
export const closeLoginDialog = (): void => useDialogs.setState({ login: 'closed', afterLogin: null });
export const showSlipSheet = (open: boolean): void => useDialogs.setState({ slipSheet: open });
