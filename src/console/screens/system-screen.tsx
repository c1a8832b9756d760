/** The health of the process that answers: what fails first, each check with what was found and what to do. */
import type { ReactElement } from 'react';
import type { ResultOf } from '#console/api/operate.ts';
import { useAct, useCall } from '#console/api/queries.ts';
import { Loaded, Problem } from '#console/parts/loaded.tsx';
import { Button } from '#ui/button.tsx';

type Check = ResultOf<'doctor'>[number];
const EVERY_MS = 30_000;

const SECTIONS: readonly { state: Check['state']; title: string; look: string }[] = [
	{ state: 'failing', title: 'Failing', look: 'text-loss' },
	{ state: 'warning', title: 'Warnings', look: 'text-suspended' },
	{ state: 'ok', title: 'Well', look: '' },
];

export function SystemScreen(): ReactElement {
	const query = useCall('doctor', { comparesFiles: false }, EVERY_MS);
	const comparing = useAct('doctor');
	return (
		<>
			<h1>System</h1>
			<p className="acts">
				<Button disabled={comparing.isPending} onClick={() => comparing.mutate({ comparesFiles: true })}>
					{comparing.isPending ? 'Comparing …' : 'Compare the files of the release now'}
				</Button>
				<Problem error={comparing.error} />
			</p>
			<Loaded query={query}>
				{(checks) => (
					<>
						{SECTIONS.map(({ state, title, look }) => (
							<Checks key={state} title={title} look={look} checks={checks.filter((check) => check.state === state)} />
						))}
					</>
				)}
			</Loaded>
		</>
	);
}

function Checks({
	title,
	look,
	checks,
}: {
	title: string;
	look: string;
	checks: readonly Check[];
}): ReactElement | null {
	if (checks.length === 0) return null;
	return (
		<section aria-label={title}>
			<h2 className={look}>{title}</h2>
			<ul>
				{checks.map(({ name, words, todo }) => (
					<li key={name} className="py-1">
						<strong>{name}</strong> {words} <span className="text-muted">{todo}</span>
					</li>
				))}
			</ul>
		</section>
	);
}
