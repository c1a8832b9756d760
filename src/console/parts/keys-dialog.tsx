/** The keyboard map: the keys of the menu, and those of single screens. */
import type { ReactElement } from 'react';
import { Dialog } from '#console/parts/dialog.tsx';
import type { MenuEntry } from '#console/parts/menu.ts';
import { Button } from '#ui/button.tsx';

/** By where they hold. */
const KEYS = {
	Everywhere: [
		['Ctrl K', 'Find a screen, a view, a player or a payment'],
		['/', 'Find a player or a reference'],
		['?', 'These keys'],
		['Escape', 'Close the dialog'],
	],
	'In a table': [
		['↑ ↓', 'The row above or below'],
		['Page ↑ ↓', 'Fifteen rows'],
		['Home End', 'The first or last row'],
		['Enter', 'Open the row'],
	],
	'On the trading floor': [
		['↑ ↓ or e d', 'The match above or below'],
		['Enter or f', 'Open the match'],
		['s', 'Suspend its markets'],
		['r', 'Resume what its last press suspended'],
		['p p', 'Suspend everything, or the sport that is shown: twice within three seconds'],
		['/', 'Filter the matches'],
	],
	'On an event': [
		['Shift S', 'Suspend all its markets'],
		['f', 'Price its fancies'],
		['n', 'Open a fancy'],
		['b', 'Price its bookmaker markets'],
		['o', 'Open a bookmaker market'],
	],
	'On an event by hand': [
		['a s d', 'Score for the first side'],
		['l k j', 'Score for the second side'],
		['u', 'Take the latest score back'],
		['p', 'Price its markets'],
	],
	'On a payment': [
		['k', 'Claim it'],
		['l', 'Release it'],
	],
} as const;

type Key = readonly [keys: string, what: string];

export function KeysDialog({ menu, onClose }: { menu: readonly MenuEntry[]; onClose: () => void }): ReactElement {
	const groups: [title: string, keys: readonly Key[]][] = [
		...Object.entries(KEYS),
		['Go to', menu.map(({ key, label }): Key => [`g ${key}`, label])],
	];
	return (
		<Dialog title="Keys" onClose={onClose}>
			<div className="keys">
				{groups.map(([title, keys]) => (
					<section key={title} aria-label={title}>
						<h3>{title}</h3>
						<dl>
							{keys.map(([key, what]) => (
								<div key={key}>
									<dt>
										<kbd>{key}</kbd>
									</dt>
									<dd>{what}</dd>
								</div>
							))}
						</dl>
					</section>
				))}
			</div>
			<p>
				<Button onClick={onClose}>Close</Button>
			</p>
		</Dialog>
	);
}
