import { useState } from 'react';
import { messageOf } from '#web/api/failure.ts';

interface Asking<Button extends string> {
	/** The button whose call is under way; it alone shows a spinner. */
	busy: Button | null;
	/** Why the last call was refused, for the form. */
	refusal: string | null;
	/** Runs a button's work, one at a time; a refusal is shown in the form. */
	ask: (button: Button, work: () => Promise<void>) => Promise<void>;
}

export function useAsking<Button extends string>(): Asking<Button> {
	const [busy, setBusy] = useState<Button | null>(null);
	const [refusal, setRefusal] = useState<string | null>(null);
	async function ask(button: Button, work: () => Promise<void>): Promise<void> {
		if (busy) return;
		setBusy(button);
		setRefusal(null);
		try {
			await work();
		} catch (failure) {
			setRefusal(messageOf(failure));
		} finally {
			setBusy(null);
		}
	}
	return { busy, refusal, ask };
}
