import type { ReactElement } from 'react';

/** One below the title above the login: a screen's is an h1, a dialog's an h2. */
export type StepLevel = 'h2' | 'h3';

/** What a step of the login is called, and what it asks for. */
export function StepHead({
	level: Heading,
	title,
	hint,
}: {
	level: StepLevel;
	title: string;
	hint: string;
}): ReactElement {
	return (
		<>
			<Heading className="font-semibold">{title}</Heading>
			<p className="text-muted">{hint}</p>
		</>
	);
}
