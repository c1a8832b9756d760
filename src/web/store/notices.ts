/** Sentences for the player that come from outside any feature; the frame shows them as toasts. */

type Kind = 'info' | 'success' | 'error';
let show: (text: string, kind: Kind) => void = () => undefined;

/** The frame's toast. */
export function setNoticeHandler(handler: (text: string, kind: Kind) => void): void {
	show = handler;
}

export const showNotice = (text: string, kind: Kind = 'info'): void => show(text, kind);
