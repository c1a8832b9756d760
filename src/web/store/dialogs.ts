/** The open dialog of the frame; features open them by this store because they do not know one another. */

import { create } from 'zustand';

export type LoginStep = 'login' | 'register' | 'verification';

interface Dialogs {
	/** The login dialog and the step it shows. */
	login: 'closed' | LoginStep;
	/** The destination of a visitor who was asked to log in; used after the login. */
	afterLogin: string | null;
	/** The bet slip's sheet on a phone; on a desktop the slip is always in its column. */
	slipSheet: boolean;
	/** The footer menu. */
	menu: boolean;
	search: boolean;
	/** Why money is held. */
	heldMoney: boolean;
}

export const useDialogs = create<Dialogs>(() => ({
	login: 'closed',
	afterLogin: null,
	slipSheet: false,
	menu: false,
	search: false,
	heldMoney: false,
}));

export const openLoginDialog = (afterLogin: string | null = null): void =>
	useDialogs.setState({ login: 'login', afterLogin });
/** Another step of the dialog, opened or switched to; the destination stays. */
export const showLoginStep = (login: LoginStep): void => useDialogs.setState({ login });
export const closeLoginDialog = (): void => useDialogs.setState({ login: 'closed', afterLogin: null });
export const showMenu = (open: boolean): void => useDialogs.setState({ menu: open });
export const showSearch = (open: boolean): void => useDialogs.setState({ search: open });
export const showHeldMoney = (open: boolean): void => useDialogs.setState({ heldMoney: open });
export const showSlipSheet = (open: boolean): void => useDialogs.setState({ slipSheet: open });
