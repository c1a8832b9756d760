import { useState } from 'react';
import { CallFailure, messageOf } from '#web/api/failure.ts';

interface Asking<Button extends string> {
	/** The button whose call is under way; it alone shows a spinner. */
	busy: Button | null;
	/** Why the last call was refused, for the form. */
	refusal: string | null;
	/** The code of that refusal; null without one. */
	code: string | null;
	/** Runs a button's work, one at a time; a refusal is shown in the form. */
	ask: (button: Button, work: () => Promise<void>) => Promise<void>;
}

export function useAsking<Button extends string>(): Asking<Button> {
	const [busy, setBusy] = useState<Button | null>(null);
	const [failure, setFailure] = useState<unknown>(null);
	async function ask(button: Button, work: () => Promise<void>): Promise<void> {
		if (busy) return;
		setBusy(button);
		setFailure(null);
		try {
			await work();
		} catch (thrown) {
			setFailure(thrown);
		} finally {
			setBusy(null);
		}
	}
	const refusal = failure === null ? null : messageOf(failure);
	return { busy, refusal, code: failure instanceof CallFailure ? failure.code : null, ask };
}
