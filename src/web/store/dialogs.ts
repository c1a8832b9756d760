/** The open dialog of the frame; features open them by this store because they do not know one another. */

import { create } from 'zustand';

export type LoginStep = 'login' | 'register' | 'verification';

interface Dialogs {
	/** What was asked for last, from the press on: its file may come later, and of two that are asked for one is shown. */
	open: 'login' | 'menu' | 'search' | 'heldMoney' | null;
	/** What had the focus at that press, and has it again when the dialog is left. */
	opener: Element | null | undefined;
	/** What the login dialog shows. */
	step: LoginStep;
	/** The destination of a visitor who was asked to log in; used after the login. */
	afterLogin: string | null;
	/** The bet slip's sheet on a phone; on a desktop the slip is always in its column. */
	slipSheet: boolean;
}

export const useDialogs = create<Dialogs>(() => ({
	open: null,
	opener: null,
	step: 'login',
	afterLogin: null,
	slipSheet: false,
}));

export const openDialog = (open: Exclude<Dialogs['open'], null>, afterLogin: string | null = null): void =>
	useDialogs.setState({ open, opener: globalThis.document?.activeElement, step: 'login', afterLogin });
/** Another step of the login dialog, opened or switched to; the destination stays. */
export const showLoginStep = (step: LoginStep): void => useDialogs.setState({ open: 'login', step });
/** Unless another has taken its place. */
export const closeDialog = (which: Dialogs['open']): void => {
	if (useDialogs.getState().open === which) useDialogs.setState({ open: null, opener: null, afterLogin: null });
};
export const showSlipSheet = (slipSheet: boolean): void => useDialogs.setState({ slipSheet });
