/** The format in which odds are written, with the same odds in each. */
import type { ReactElement } from 'react';
import { ODDS_EXAMPLES } from '#values/odds-text.ts';
import { Choices } from '#web/features/settings/choices.tsx';
import { setOddsFormat, usePreferences } from '#web/store/preferences.ts';
import { ACCOUNT_TEXTS } from '#web/texts/more.ts';

const words = ACCOUNT_TEXTS.settings.odds;

export function OddsFormatChoice(): ReactElement {
	const chosen = usePreferences(({ oddsFormat }) => oddsFormat);
	return (
		<section aria-label={words.title} className="rounded-lg border border-line bg-surface-1 p-4">
			<h2 className="mb-2 font-semibold">{words.title}</h2>
			<Choices
				name="odds-format"
				legend={words.hint}
				words={words.formats}
				chosen={chosen}
				examples={ODDS_EXAMPLES}
				onChoose={setOddsFormat}
			/>
		</section>
	);
}
