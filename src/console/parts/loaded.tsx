/** A screen's answer: shown once it is there, with the refusal or a note of an old answer otherwise. */
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactElement, ReactNode } from 'react';
import { Button } from '#ui/button.tsx';
import { Loaded as Answered } from '#ui/loaded.tsx';

const WORDS = { failed: 'This could not be read.', retry: 'Try again' };
const neverEmpty = () => false;

export function Loaded<Data>({
	query,
	children,
}: {
	query: UseQueryResult<Data, Error>;
	children: (data: Data) => ReactNode;
}): ReactElement {
	const { data, error, refetch } = query;
	return (
		<>
			{data !== undefined && <Problem error={error} again={() => void refetch()} />}
			<Answered
				asked={query}
				words={WORDS}
				waiting={<output className="block py-3 text-muted">Loading …</output>}
				isEmpty={neverEmpty}
				empty={null}
			>
				{children}
			</Answered>
		</>
	);
}

export function Problem({ error, again }: { error: Error | null; again?: () => void }): ReactElement | null {
	if (!error) return null;
	return (
		<p className="problem" role="alert">
			{error.message}
			{again && (
				<Button size="small" onClick={again}>
					{WORDS.retry}
				</Button>
			)}
		</p>
	);
}
