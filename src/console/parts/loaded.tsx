/** A screen's answer: shown once it is there, with the refusal or a note of an old answer otherwise. */
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactElement, ReactNode } from 'react';

export function Loaded<Data>({
	query,
	children,
}: {
	query: UseQueryResult<Data, Error>;
	children: (data: Data) => ReactNode;
}): ReactElement {
	const { data, error, isPending, refetch } = query;
	if (data === undefined) {
		return isPending ? (
			<output className="empty">Loading …</output>
		) : (
			<Problem error={error} again={() => void refetch()} />
		);
	}
	return (
		<>
			{error && <Problem error={error} again={() => void refetch()} />}
			{children(data)}
		</>
	);
}

export function Problem({ error, again }: { error: Error | null; again?: () => void }): ReactElement | null {
	if (!error) return null;
	return (
		<p className="problem" role="alert">
			{error.message}
			{again && (
				<button type="button" onClick={again}>
					Try again
				</button>
			)}
		</p>
	);
}
