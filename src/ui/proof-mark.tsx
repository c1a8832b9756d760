import type { ReactElement } from 'react';

/** A statement with what the browser found of it. */
export function ProofMark({ isRight, text }: { isRight: boolean; text: string }): ReactElement {
	return (
		<p className="proof-mark" data-right={isRight || undefined}>
			{isRight ? '✓' : '✗'} {text}
		</p>
	);
}
