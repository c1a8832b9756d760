/** The colours of a brand by name; one that is left empty is the theme's own. */
import type { ReactElement } from 'react';
import { SITE_COLOURS } from '#contract/site-colours.ts';
import type { Theme } from '#contract/theme-tokens.ts';

interface ColourFieldsProps {
	/** Whose own colours show where the brand has none. */
	theme: Theme;
	/** The brand's tokens as JSON. */
	typed: string;
	problem: string | null;
	onTyped: (typed: string) => void;
}

const isHex = (value: string): boolean => /^#[0-9a-f]{6}$/i.test(value);

function tokensOf(typed: string): Record<string, string> {
	try {
		return JSON.parse(typed) as Record<string, string>;
	} catch {
		return {};
	}
}

export function ColourFields({ theme, typed, problem, onTyped }: ColourFieldsProps): ReactElement {
	const tokens = tokensOf(typed);
	const siteColours: Readonly<Record<string, string>> = SITE_COLOURS[theme];
	const names = [...new Set([...Object.keys(SITE_COLOURS.dark), ...Object.keys(tokens)])];
	const set = (name: string, value: string) => {
		const { [name]: _, ...others } = tokens;
		onTyped(JSON.stringify(value === '' ? others : { ...others, [name]: value }));
	};
	return (
		<fieldset className="colour-fields">
			<legend>Colours as #rrggbb; empty for the theme’s own</legend>
			{names.map((name) => {
				const value = tokens[name] ?? '';
				const ofSite = siteColours[name] ?? '';
				return (
					<div key={name} className="colour-field">
						<input
							type="color"
							aria-label={`Pick ${name}`}
							value={[value, ofSite].find(isHex) ?? '#808080'}
							onChange={({ target }) => set(name, target.value)}
						/>
						<label>
							{name}
							<input
								value={value}
								placeholder={isHex(ofSite) ? ofSite : ''}
								autoComplete="off"
								onChange={({ target }) => set(name, target.value)}
							/>
						</label>
					</div>
				);
			})}
			<p role="alert" className="text-loss">
				{problem}
			</p>
		</fieldset>
	);
}
