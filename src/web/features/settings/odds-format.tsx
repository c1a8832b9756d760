/** The format in which odds are written, with the same odds in each. */
import type { ReactElement } from 'react';
import { ODDS_FORMATS, type OddsFormat } from '#values/odds-formats.ts';
import { Choices } from '#web/features/settings/choices.tsx';
import { setOddsFormat, usePreferences } from '#web/store/preferences.ts';
import { ACCOUNT_TEXTS } from '#web/texts/more.ts';

const words = ACCOUNT_TEXTS.settings.odds;
const EXAMPLES: Readonly<Record<OddsFormat, string>> = { DECIMAL: '2.50', FRACTIONAL: '3/2', AMERICAN: '+150' };

const useChosen = (): OddsFormat => usePreferences(({ oddsFormat }) => oddsFormat);

export function OddsFormatChoice(): ReactElement {
	return (
		<section aria-label={words.title} className="rounded-lg border border-line bg-surface-1 p-4">
			<h2 className="mb-2 font-semibold">{words.title}</h2>
			<Choices
				name="odds-format"
				legend={words.hint}
				words={words.formats}
				chosen={useChosen()}
				examples={EXAMPLES}
				onChoose={setOddsFormat}
			/>
		</section>
	);
}

/** The same as tiles of the menu, for visitors, who have no settings. */
export function OddsFormatTiles(): ReactElement {
	const chosen = useChosen();
	return (
		<section aria-label={words.title}>
			<h3 className="pb-2 text-xs font-semibold text-muted">{words.title}</h3>
			<ul className="tiles">
				{ODDS_FORMATS.map((format) => (
					<li key={format}>
						<button
							type="button"
							className="tile tile-low"
							aria-pressed={format === chosen}
							onClick={() => setOddsFormat(format)}
						>
							<span>
								{words.formats[format]} <span className="text-muted">{EXAMPLES[format]}</span>
							</span>
						</button>
					</li>
				))}
			</ul>
		</section>
	);
}
