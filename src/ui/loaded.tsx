import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { type ReactElement, type ReactNode, useDeferredValue } from 'react';
import { Button } from '#ui/button.tsx';
import { ScreenState } from '#ui/screen-state.tsx';

/** The state of a request: its answer, or its error. */
export interface Asked<Data> {
	data: Data | undefined;
	error: Error | null;
}

interface FailureWords {
	failed: string;
	retry: string;
}

/** Requests all that the page has no answer to, at once: the next quiet try would come seconds after the press. */
export function askAgain(queries: QueryClient): void {
	void queries.resetQueries({ type: 'active', predicate: ({ state }) => state.data === undefined });
}

/** What stands in the place of an answer that did not come. */
export function Failed({ error, words }: { error: Error; words: FailureWords }): ReactElement {
	const queries = useQueryClient();
	return (
		<ScreenState
			icon="triangle-exclamation"
			tone="alert"
			title={words.failed}
			action={<Button onClick={() => askAgain(queries)}>{words.retry}</Button>}
		>
			{error.message}
		</ScreenState>
	);
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
	words: FailureWords;
	/** As tall as the content will be. */
	waiting: ReactNode;
	empty: ReactNode;
	isEmpty: (data: Data) => boolean;
	children: (data: Data) => ReactNode;
}): ReactElement {
	const { data: answer, error } = asked;
	// A screen of many rows renders in small steps, so that presses are handled in between.
	const data = useDeferredValue(answer);
	if (data !== undefined) return <>{isEmpty(data) ? empty : children(data)}</>;
	return error ? <Failed error={error} words={words} /> : <>{waiting}</>;
}
