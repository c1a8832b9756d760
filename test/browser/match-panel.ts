import type { Locator, Page } from 'playwright-core';

/** The panel of a match's page with its tabs: on a phone it is folded into the scoreboard at first. */
export async function openPanel(page: Page): Promise<Locator> {
	const panel = page.getByRole('region', { name: 'Score, tracker and figures' });
	await panel.waitFor({ state: 'attached' });
	const folded = panel.getByRole('button', { name: 'Score, tracker and figures', expanded: false });
	if (await folded.isVisible()) await folded.click();
	return panel;
}
