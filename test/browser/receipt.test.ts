/**
 * A deposit by receipt: the picture, the browser's reading of it, and its decision.
 * @module-tag thorough
 */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { receiptPicture } from '../support/receipt.ts';
import type { Width } from './browser.ts';
import { expectFine, expectFineInBothThemes, expectReachable } from './fine-screen.ts';
import { Scene } from './scene.ts';

let scene: Scene;
beforeAll(async () => {
	scene = await Scene.open();
});
afterAll(() => scene?.close());
afterEach(() => scene?.leave());

async function depositor(width: Width) {
	const { page, ...player } = await scene.member(width);
	await page.goto('/deposit');
	await page.getByRole('tab', { name: 'Receipt' }).click();
	const choose = page.getByLabel(/^(Drop, paste or choose|Choose) a picture$/);
	// The name of a file is only its owner's: no call has a field for it, so no operator meets it.
	const picture = (buffer: Buffer, mimeType = 'image/png', name = '<img src=x onerror=alert(1)>.png') =>
		choose.setInputFiles({ name, mimeType, buffer });
	return { page, player, picture, utr: page.getByLabel('Reference (UTR)') };
}

/** A file that lands on the page from the clipboard, or is dropped on an input. */
async function paste(page: Page, picture: Buffer): Promise<void> {
	await page.evaluate((base64) => {
		const bytes = Uint8Array.from(atob(base64), (letter) => letter.codePointAt(0) ?? 0);
		const clipboardData = new DataTransfer();
		clipboardData.items.add(new File([bytes], 'pasted.png', { type: 'image/png' }));
		document.dispatchEvent(new ClipboardEvent('paste', { clipboardData }));
	}, picture.toString('base64'));
}

it('the browser reads the reference off a receipt, confirms the amount and never proposes one', async () => {
	const { page, player, picture, utr } = await depositor('phone');
	const answers: { path: string; policy: string }[] = [];
	page.on('response', (response) => {
		const { pathname } = new URL(response.url());
		if (pathname.startsWith('/ocr/'))
			answers.push({
				path: pathname.split('/').at(-1) ?? '',
				policy: response.headers()['content-security-policy'] ?? '',
			});
	});
	await page.getByLabel('Take a photo').waitFor();
	await page.getByRole('button', { name: 'Send the receipt' }).tap();
	await page.getByText('Choose a picture of the receipt.').waitFor();
	await expectFineInBothThemes(page, 'phone');
	await expectReachable(page);
	expect(answers).toEqual([]);
	await picture(await receiptPicture({ amount: '1,500', utr: '412345678901', isDark: true }));
	await expect.poll(() => utr.inputValue()).toBe('412345678901');
	expect(await page.getByLabel('Amount in rupees').inputValue()).toBe('');
	// Only the worker's own answer lets WebAssembly be compiled.
	expect(answers.filter(({ policy }) => policy.includes('wasm-unsafe-eval')).map(({ path }) => path)).toEqual([
		'worker.min.js',
	]);
	await page.getByLabel('Amount in rupees').fill('1400');
	await page.getByText('₹1,400 was not found on the receipt.').waitFor();
	await page.getByLabel('Amount in rupees').fill('500');
	// The sign was read, so no digit in front of the amount is one.
	await page.getByText('₹500 was not found on the receipt.').waitFor();
	await page.getByLabel('Amount in rupees').fill('1500');
	await page.getByText('The receipt shows ₹1,500.').waitFor();
	await expectFineInBothThemes(page, 'phone');
	await page.getByRole('button', { name: 'Send the receipt' }).tap();
	const timeline = page.getByRole('list', { name: 'Timeline' }).locator('span');
	await expect.poll(() => timeline.allInnerTexts()).toEqual(['Submitted', 'Receipt read']);
	const [row] = (await scene.server.result('getDepositWithdrawals', {}, player.token)).items;
	expect(row).toMatchObject({ status: 'SCREENED', amount: 1_500, reference: '412345678901' });
	await scene.server.send('/operator/api/payment-decide', {
		method: 'POST',
		body: JSON.stringify({ kind: 'DEPOSIT', id: row?.id.split('-')[1], event: 'approve', reason: 'looked at' }),
		headers: { ...scene.server.operatorHeaders, 'X-Operator': 'asha' },
	});
	await expect.poll(() => timeline.allInnerTexts()).toEqual(['Submitted', 'Receipt read', 'Approved']);
	await expect.poll(() => page.locator('[data-figure="Balance"]').innerText()).toBe('₹21,500');
});

it('pictures that are not taken are refused before they are sent, each with its reason', async () => {
	const { page, picture } = await depositor('desktop');
	let sent = 0;
	page.on('request', (request) => {
		if (request.url().includes('StoreImage')) sent += 1;
	});
	await picture(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'image/png');
	await page.getByText('This is no JPEG, PNG or WebP picture.').waitFor();
	await picture(Buffer.alloc(5 * 1024 * 1024 + 1), 'image/jpeg');
	await page.getByText('This file is larger than 5 MB.').waitFor();
	await picture(await receiptPicture({ amount: '500', utr: '412345678902', width: 6_000 }));
	await page.getByText('This picture has more than 40 million pixels.').waitFor();
	await expectFine(page, 'desktop');
	expect(sent).toBe(0);
});

it('a pasted picture is taken; what the player typed stays, and a reference seen before is said to be', async () => {
	const { page, utr } = await depositor('desktop');
	const send = async (width: number) => {
		await page.getByLabel('Amount in rupees').fill('700');
		await utr.fill('412345678903');
		await paste(page, await receiptPicture({ amount: '700', utr: '412345678999', width }));
		await page.getByText('The receipt shows ₹700.').waitFor();
		expect(await utr.inputValue()).toBe('412345678903');
		await page.getByRole('button', { name: 'Send the receipt' }).click();
		await page.getByRole('list', { name: 'Timeline' }).first().waitFor();
	};
	await send(720);
	await page.goto('/deposit');
	await page.getByRole('tab', { name: 'Receipt' }).click();
	await send(730);
	await page.getByText('This reference or picture was sent before.').first().waitFor();
	await expectFine(page, 'desktop');
});

it('players who save data load no reader and type the reference', async () => {
	const { page, picture } = await depositor('phone');
	await page.evaluate(() => Object.defineProperty(navigator, 'connection', { value: { saveData: true } }));
	let loaded = 0;
	page.on('request', (request) => {
		if (request.url().includes('/ocr/')) loaded += 1;
	});
	await picture(await receiptPicture({ amount: '500', utr: '412345678904' }));
	await page.getByText('Type the reference yourself.').waitFor();
	await page.getByRole('img', { name: 'Your receipt' }).waitFor();
	await expectFine(page, 'phone');
	expect(loaded).toBe(0);
});

it('a reading that takes too long is given up, and says so: it does not say that nothing was found', async () => {
	const { page, picture } = await depositor('phone');
	// The reader is loaded, and never answers.
	await page.evaluate(() => {
		const post = Worker.prototype.postMessage;
		Worker.prototype.postMessage = function (this: Worker, message: { action?: string }) {
			if (message.action !== 'recognize') post.call(this, message);
		};
	});
	await picture(await receiptPicture({ amount: '500', utr: '412345678905' }));
	await page.getByText('Reading takes too long here.').waitFor();
	expect(await page.getByText('No single reference was found.').count()).toBe(0);
	await expectFine(page, 'phone');
});
