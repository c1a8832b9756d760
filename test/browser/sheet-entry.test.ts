/** A sheet on the way back, in a browser that is slow to go back. */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, it } from 'vitest';
import { Scene } from './scene.ts';

let scene: Scene;
beforeAll(async () => {
	scene = await Scene.share();
});
afterEach(() => scene.leave());
afterAll(() => scene?.close());

/** A browser that is asked to go back does so when the test lets it. */
async function slowToGoBack(page: Page) {
	await page.addInitScript(() => {
		const back = history.back.bind(history);
		Object.assign(globalThis, { asked: 0, back });
		history.back = () => {
			Object.assign(globalThis, { asked: Reflect.get(globalThis, 'asked') + 1 });
		};
		addEventListener('popstate', () => Object.assign(globalThis, { asked: 0 }));
	});
	const isAsked = (times: number) => page.waitForFunction((is) => Reflect.get(globalThis, 'asked') === is, times);
	const goesBack = async () => {
		await page.evaluate(() => Reflect.get(globalThis, 'back')());
		await isAsked(0);
	};
	const isOn = (sheet: string) => page.waitForFunction((is) => history.state.sheet === is, sheet);
	return { isAsked, goesBack, isOn };
}

it('what is pressed while the browser still goes back from a sheet is not taken away', {
	tags: 'thorough',
}, async () => {
	const page = await scene.visitor('phone');
	await page.goto('/matchlist/3');
	const { isAsked, goesBack, isOn } = await slowToGoBack(page);
	await page.getByRole('button', { name: 'Bet slip' }).click();
	await isOn('slip');
	// The page begins on the entry of a sheet that is closed.
	await page.reload();
	await isAsked(1);
	await page.getByRole('button', { name: 'Menu' }).click();
	const menu = page.getByRole('dialog', { name: 'Menu' });
	await menu.waitFor();
	await goesBack();
	await isOn('menu');
	await menu.getByRole('button', { name: 'Close' }).click();
	await isAsked(1);
	await page.getByRole('link', { name: 'Football', exact: true }).click();
	await page.getByRole('heading', { level: 1, name: 'Football' }).waitFor();
	await goesBack();
	await page.waitForFunction(() => location.pathname === '/matchlist/1');
	await page.goBack();
	await page.getByRole('heading', { level: 1, name: 'Cricket' }).waitFor();
});

it('a sheet that is opened while the browser still goes back from its own entry stays open', async () => {
	const page = await scene.visitor('phone');
	await page.goto('/matchlist/3');
	const { isAsked, goesBack, isOn } = await slowToGoBack(page);
	const opener = page.getByRole('button', { name: 'Bet slip' });
	const sheet = page.getByRole('region', { name: 'Bet slip' });
	await opener.click();
	await isOn('slip');
	await page.reload();
	await isAsked(1);
	await opener.click();
	await sheet.waitFor();
	await page.keyboard.press('Escape');
	await sheet.waitFor({ state: 'detached' });
	await opener.click();
	await sheet.waitFor();
	await isAsked(1);
	await goesBack();
	await isOn('slip');
	await sheet.waitFor();
	await page.goBack();
	await sheet.waitFor({ state: 'detached' });
	await page.getByRole('heading', { level: 1, name: 'Cricket' }).waitFor();
});
