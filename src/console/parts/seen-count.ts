/** A dialog decides on what could be read when it opened, and not on what comes behind it meanwhile. */
import { useState } from 'react';
import { Failure } from '#console/api/operate.ts';

const UNREAD = new Failure(
	'WRONG_STATE',
	'Something was written since you opened this dialog, so nothing was done. Close the dialog, and read that first.',
);

interface SeenCount {
	/** How many entries could be read when the dialog opened: the server refuses where there are more. */
	seen: number;
	/** The refusal in words that say what to do. */
	unread: (error: Error | null) => Error | null;
}

/** @param count how many there are now */
export function useSeenCount(count: number): SeenCount {
	const [seen] = useState(count);
	const isUnread = (error: Error | null) => error instanceof Failure && error.code === 'WRONG_STATE' && count !== seen;
	return { seen, unread: (error) => (isUnread(error) ? UNREAD : error) };
}
