import { type ReactElement, type ReactNode, useDeferredValue } from 'react';
import { Button } from '#ui/button.tsx';
import { ScreenState } from '#ui/screen-state.tsx';

/** The state of a request: its answer, or its error. */
export interface Asked<Data> {
	data: Data | undefined;
	error: Error | null;
	refetch: () => unknown;
}

/** The four states of a screen with data: loading, failed with a retry button, empty, loaded. */
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
	/** As tall as the content will be. */
	waiting: ReactNode;
	empty: ReactNode;
	isEmpty: (data: Data) => boolean;
	children: (data: Data) => ReactNode;
}): ReactElement {
	const { data: answer, error, refetch } = asked;
	// A screen of many rows renders in small steps, so that presses are handled in between.
	const data = useDeferredValue(answer);
	if (data !== undefined) return <>{isEmpty(data) ? empty : children(data)}</>;
	if (!error) return <>{waiting}</>;
	return (
		<ScreenState
			icon="triangle-exclamation"
			tone="alert"
			title={words.failed}
			action={<Button onClick={() => void refetch()}>{words.retry}</Button>}
		>
			{error.message}
		</ScreenState>
	);
}
