import type { ReactElement } from 'react';
import { useBrandRules } from '#web/store/brand-rules.ts';
import { RULES_TEXTS } from '#web/texts/more.ts';

/** /rules: how the exchange works, in the words of the bet slip. */
export function RulesScreen(): ReactElement {
	const { title, intro, programs, sections } = RULES_TEXTS;
	const { tellsPrograms } = useBrandRules();
	const shown = tellsPrograms ? [...sections, { title: programs.title, text: [programs.text] }] : sections;
	return (
		<article className="screen form-screen">
			<h1 className="screen-title">{title}</h1>
			<p className="text-muted">{intro}</p>
			{shown.map((section) => (
				<section key={section.title} className="rounded-lg border border-line bg-surface-1 p-4">
					<h2 className="mb-2 font-semibold">{section.title}</h2>
					{section.text.map((paragraph) => (
						<p key={paragraph} className="mb-2 leading-relaxed text-muted last:mb-0">
							{paragraph}
						</p>
					))}
				</section>
			))}
		</article>
	);
}
