import { afterAll, beforeAll, expect, it } from 'vitest';
import { watchShifts } from './layout-shifts.ts';
import { Scene } from './scene.ts';
let scene: Scene;
beforeAll(async () => { scene = await Scene.open(); });
afterAll(() => scene?.close());
it.each([['desktop', 1], ['desktop', 6], ['phone', 1], ['phone', 6]] as const)('%s %s', { timeout: 120_000 }, async (width, cpu) => {
	const match = await scene.match();
	const { page } = await scene.player(width);
	await watchShifts(page);
	await page.goto(`/markets/${match.eventId}`);
	await page.locator('.market-row .price').first().waitFor();
	await page.waitForTimeout(3000);
	const cdp = await page.context().newCDPSession(page);
	await cdp.send('Emulation.setCPUThrottlingRate', { rate: cpu });
	await page.route(/lobby-screen|casino/i, async (route) => { await new Promise((r) => setTimeout(r, 900)); await route.continue(); });
	await page.evaluate(() => {
		const log: string[] = (window as any).zz = [];
		new MutationObserver((list) => {
			for (const m of list) for (const n of [...m.addedNodes, ...m.removedNodes]) log.push(`${Math.round(performance.now())} ${[...m.addedNodes].includes(n) ? '+' : '-'} ${(n as Element).className} in ${(m.target as Element).className}`);
		}).observe(document.querySelector('#content')!, { childList: true, subtree: false });
		new MutationObserver((list) => {
			for (const m of list) for (const n of [...m.addedNodes, ...m.removedNodes]) log.push(`${Math.round(performance.now())} ${[...m.addedNodes].includes(n) ? '+' : '-'} ${(n as Element).className} in ${(m.target as Element).className}`);
		}).observe(document.querySelector('.frame-content')!, { childList: true, subtree: false });
		let last = '';
		const frame = () => {
			const r = (s: string) => { const b = document.querySelector(s)?.getBoundingClientRect(); return b ? [b.x, b.y, b.width, b.height].map(Math.round).join(' ') : '-'; };
			const now = `${location.pathname} main ${r('#content')} foot ${r('footer')} h1 ${document.querySelector('#content h1')?.textContent} scroll ${scrollY}`;
			if (now !== last) log.push(`${Math.round(performance.now())} ${now}`);
			last = now;
			requestAnimationFrame(frame);
		};
		requestAnimationFrame(frame);
	});
	if (width === 'phone') await page.evaluate(() => document.querySelector('footer')?.scrollIntoView());
	await page.getByRole('link', { name: 'Casino' }).first().click();
	await page.getByRole('heading', { level: 1, name: 'Casino' }).waitFor();
	await page.locator('.game-rail').first().waitFor();
	await page.waitForTimeout(1000);
	console.log(await page.evaluate(() => [...(window as any).zz, window.layoutShifts.shift, ...window.layoutShifts.moved].join('\n')));
	expect(1).toBe(1);
});
