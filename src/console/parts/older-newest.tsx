/** The way through a list that the server gives a page at a time, from the newest on. */
import type { ReactElement, ReactNode } from 'react';
import { Button } from '#ui/button.tsx';

interface OlderNewestProps {
	/** Null on the last page. */
	onOlder: (() => void) | null;
	/** Null on the first page. */
	onNewest: (() => void) | null;
	children?: ReactNode;
}

export function OlderNewest({ onOlder, onNewest, children }: OlderNewestProps): ReactElement {
	return (
		<p className="acts">
			<Button disabled={onOlder === null} onClick={() => onOlder?.()}>
				Older
			</Button>
			<Button disabled={onNewest === null} onClick={() => onNewest?.()}>
				Newest
			</Button>
			{children}
		</p>
	);
}
