import { type ReactElement, type ReactNode, useDeferredValue } from 'react';
import { Button } from '#ui/button.tsx';
import { ScreenState } from '#ui/screen-state.tsx';

/** What a screen knows of its data: the answer, or why there is none. */
export interface Asked<Data> {
	data: Data | undefined;
	error: Error | null;
	refetch: () => unknown;
}

/** The four states of a screen with data: waiting, failed with a way to ask again, empty, and there. */
export function Loaded<Data>({
	asked,
	words,
	waiting,
	empty,
	isEmpty,
	children,
}: {
	asked: Asked<Data>;
	words: { failed: string; retry: string };
	/** As tall as what will stand there. */
	waiting: ReactNode;
	empty: ReactNode;
	isEmpty: (data: Data) => boolean;
	children: (data: Data) => ReactNode;
}): ReactElement {
	const { data: answer, error, refetch } = asked;
	// A screen of many rows is made in small steps, between which a press is heard.
	const data = useDeferredValue(answer);
	if (data !== undefined) return <>{isEmpty(data) ? empty : children(data)}</>;
	if (!error) return <>{waiting}</>;
	return (
		<ScreenState
			tone="alert"
			title={words.failed}
			action={<Button onClick={() => void refetch()}>{words.retry}</Button>}
		>
			{error.message}
		</ScreenState>
	);
}
