/** What stands around every screen of a brand. */
import { expect, it } from 'vitest';
import { SiteFooter } from '#web/features/brand/site-footer.tsx';
import { TopBar } from '#web/features/frame/top-bar.tsx';
import { TEXTS } from '#web/texts.ts';
import { writtenFor } from './brand-page.tsx';

const HINT = 'Matches, prices and the other players are simulated.';

it('a site says at its top and at its foot that sports and other players are simulated, if they are', () => {
	for (const part of [TopBar, SiteFooter]) {
		const [simulated, real] = [true, false].map((simulatedSports) => writtenFor({ simulatedSports }, part));
		expect(simulated?.match(/class="site-badge/g)).toHaveLength(1);
		expect(simulated).toContain('>Simulated<');
		expect(simulated).toContain(HINT);
		expect(real).not.toMatch(/simulated/i);
	}
});

it('the foot of every page links to the limits and to the rules', () => {
	const foot = writtenFor({}, SiteFooter);
	const links = [...foot.matchAll(/<a [^>]*href="([^"]*)"[^>]*>([^<]*)</g)].map(([, to, text]) => [to, text]);
	expect(links).toContainEqual(['/protection', TEXTS.frame.protection]);
	expect(links).toContainEqual(['/rules', TEXTS.rules.title]);
});
