/**
 * Webhooks of a brand in the console: an endpoint that two members add, its secret, a test, and deliveries that are
 * sent again.
 * @module-tag thorough
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestServer } from '../support/server.ts';
import { signaturesOf, WebhookReceiver } from '../webhooks/webhook-receiver.ts';
import { CONSOLE_HOST, Desk } from './desk.ts';
import { findings } from './fine-screen.ts';

let server: TestServer;
let desk: Desk;
let receiver: WebhookReceiver;
beforeAll(async () => {
	receiver = await WebhookReceiver.open();
	server = await TestServer.start(undefined, { consoleHost: CONSOLE_HOST });
	desk = await Desk.open(server);
});
afterAll(async () => {
	await desk?.close();
	await server?.dispose();
	receiver?.close();
});

it('adds an endpoint by two members, shows its secret once, tests it, and sends a delivery again', async () => {
	const page = await desk.member('asha', ['owner'], 1440);
	await page.goto('/brands/localhost');
	await page.getByRole('link', { name: 'Webhooks' }).click();
	await page.getByRole('button', { name: 'Add an endpoint …' }).click();
	const dialog = page.getByRole('dialog', { name: 'Add an endpoint' });
	await dialog.getByLabel('Address, such as').fill('no address');
	await dialog.getByRole('button', { name: 'Show what leaves the house' }).click();
	await dialog.getByText('The address must be a URL.').waitFor();
	await dialog.getByLabel('Address, such as').fill(receiver.url('/hook'));
	await dialog.getByLabel('market.settled').uncheck();
	expect(await findings(page)).toEqual([]);
	await dialog.getByRole('button', { name: 'Show what leaves the house' }).click();
	await dialog.getByLabel('Reason').fill('our ledger asks for it');
	await dialog.getByRole('button', { name: 'Propose' }).click();

	const other = await desk.member('bala', ['owner']);
	await other.goto('/results');
	await other.getByRole('grid', { name: 'Proposals' }).getByRole('row').nth(1).press('Enter');
	await other.getByRole('button', { name: 'Confirm' }).click();
	await other.getByText('applied').first().waitFor();

	const endpoint = page.getByRole('region', { name: receiver.url('/hook') });
	await endpoint.getByRole('button', { name: 'New secret …' }).click();
	await page.getByRole('button', { name: 'Make a new secret' }).click();
	const secret = (await page.getByRole('dialog').locator('code').textContent()) ?? '';
	await page.getByRole('button', { name: 'Close', exact: true }).click();
	expect(await page.content()).not.toContain(secret);

	await endpoint.getByRole('button', { name: 'Send a test' }).click();
	const deliveries = endpoint.getByRole('grid', { name: 'Deliveries' });
	await deliveries.getByRole('row', { name: /delivered.*webhook\.test/ }).waitFor();
	const [first] = receiver.received;
	if (!first) return expect.unreachable();
	expect(signaturesOf(first, secret)).toContain(true);
	expect(await findings(page)).toEqual([]);
	await page.setViewportSize({ width: 390, height: 900 });
	expect(await findings(page)).toEqual([]);
	await deliveries.getByRole('row').nth(1).press('Enter');
	await endpoint.getByRole('button', { name: 'Send number 1 again' }).click();
	await expect.poll(() => receiver.received.length).toBe(2);
	expect(receiver.received[1]?.headers['webhook-id']).toBe(first.headers['webhook-id']);
	await endpoint.getByRole('button', { name: 'Remove …' }).click();
	await page.getByRole('button', { name: 'Remove', exact: true }).click();
	await page.getByText('The brand has no endpoint.').waitFor();
});
