import { type ReactElement, useEffect, useState } from 'react';
import { Button } from '#ui/button.tsx';
import type { Selection } from '#web/betting/selection.ts';
import { SLIP_WORDS } from '#web/texts/more.ts';

/** Replaces the button while the bet is in flight; counts an in-play market's delay down. */
export function PendingButton({ selection, delay }: { selection: Selection; delay: number }): ReactElement {
	const [left, setLeft] = useState(delay);
	useEffect(() => {
		const timer = setInterval(() => setLeft((seconds) => Math.max(0, seconds - 1)), 1000);
		return () => clearInterval(timer);
	}, []);
	return (
		<>
			<Button variant={selection.side === 'BACK' ? 'back' : 'lay'} className="w-full" busy>
				{SLIP_WORDS.pending}
			</Button>
			<p className="min-h-4 text-center text-xs text-muted">
				{left > 0 ? SLIP_WORDS.pendingIn(left) : SLIP_WORDS.pending}
			</p>
		</>
	);
}
