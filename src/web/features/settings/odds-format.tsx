/** The format in which odds are written, with the same odds in each. */
import type { ReactElement } from 'react';
import { ODDS_FORMATS, type OddsFormat } from '#values/odds-formats.ts';
import { setOddsFormat, usePreferences } from '#web/store/preferences.ts';
import { ACCOUNT_TEXTS } from '#web/texts/more.ts';

const words = ACCOUNT_TEXTS.settings.odds;
const EXAMPLE: Readonly<Record<OddsFormat, string>> = { DECIMAL: '2.50', FRACTIONAL: '3/2', AMERICAN: '+150' };

export function OddsFormatChoice(): ReactElement {
	const chosen = usePreferences(({ oddsFormat }) => oddsFormat);
	return (
		<section aria-label={words.title} className="rounded-lg border border-line bg-surface-1 p-4">
			<h2 className="mb-2 font-semibold">{words.title}</h2>
			<fieldset>
				<legend className="text-sm text-muted">{words.hint}</legend>
				{ODDS_FORMATS.map((format) => (
					<label key={format} className="flex min-h-11 items-center gap-2">
						<input
							type="radio"
							name="odds-format"
							className="size-5 accent-text"
							checked={chosen === format}
							onChange={() => setOddsFormat(format)}
						/>
						<span className="flex-1">{words.formats[format]}</span>
						<span className="text-muted">{EXAMPLE[format]}</span>
					</label>
				))}
			</fieldset>
		</section>
	);
}
