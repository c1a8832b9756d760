/**
 * kill -9 of the process that sends mail: each code that was promised to a player reaches the mail server, and a message
 * is repeated only under its own id, and only if its attempt was under way.
 *
 * @module-tag thorough
 */
import { expect, it, onTestFinished } from 'vitest';
import { ServerProcess } from '../browser/server-process.ts';
import { SmtpServer } from '../support/smtp-server.ts';

const OPTIONS = ['--no-feeds', '--rate-limit-factor', '1000', '--log-level', 'error'];
const PASSWORD = 'Kingfisher#7';
const PLAYERS = 12;
/** Codes until the mail server gives no more answers, and until the kill. */
const HELD_FROM = 4;
const KILLED_AT = 8;

it('a code that was promised is sent through kill -9, and no message three times', async () => {
	const smtp = await SmtpServer.start();
	const environment = { SMTP_URL: `smtp://127.0.0.1:${smtp.port}`, MAIL_FROM: 'no-reply@brand.example' };
	const server = await ServerProcess.create({ environment });
	onTestFinished(async () => {
		await server.dispose();
		await smtp.stop();
	});
	await server.start(OPTIONS);
	const addressOf = (at: number) => `player${at}@mail.example`;
	for (let at = 0; at < PLAYERS; at++) {
		const userName = `player-${at}`;
		await server.operator('create-player', { host: 'localhost', userName, password: PASSWORD });
		const { accessToken } = await server.call('authenticate', {
			userNameOrEmailAddress: userName,
			password: PASSWORD,
		});
		await server.call('setMailAddress', { address: addressOf(at), password: PASSWORD }, accessToken);
		await expect.poll(() => smtp.to(addressOf(at)).length, { timeout: 20_000 }).toBe(1);
		await server.call('proveMailAddress', { otp: smtp.codeTo(addressOf(at)) }, accessToken);
	}
	const before = smtp.taken.length;
	const promised = new Set<string>();
	for (let at = 0; at < KILLED_AT; at++) {
		if (at === HELD_FROM) {
			await expect.poll(() => smtp.taken.length, { timeout: 20_000 }).toBe(before + promised.size);
			smtp.holdsAnswers = true;
		}
		await server.call('sendResetCode', { userNameOrEmailAddress: addressOf(at), by: 'MAIL' });
		promised.add(addressOf(at));
	}
	// Attempts are under way by then.
	await expect.poll(() => smtp.taken.length, { timeout: 20_000 }).toBeGreaterThan(before + HELD_FROM);
	const asked = Array.from({ length: PLAYERS - KILLED_AT }, async (_, more) => {
		const address = addressOf(KILLED_AT + more);
		await server.call('sendResetCode', { userNameOrEmailAddress: address, by: 'MAIL' });
		promised.add(address);
	});
	await Promise.race(asked).catch(() => undefined);
	await server.kill();
	await Promise.allSettled(asked);
	smtp.holdsAnswers = false;
	await server.start(OPTIONS);
	const codes = (address: string) => smtp.to(address).filter(({ subject }) => subject.includes('new password'));
	const lost = () => [...promised].filter((address) => codes(address).length === 0);
	await expect.poll(lost, { timeout: 60_000 }).toEqual([]);
	const waiting = async () => {
		const { rows } = await server.database.db.query("select from mail where state = 'WAITING'");
		return rows.length;
	};
	await expect.poll(waiting, { timeout: 60_000 }).toBe(0);
	const counts = [...Map.groupBy(smtp.taken, ({ messageId }) => messageId).values()].map(({ length }) => length);
	expect(new Set(counts)).toEqual(new Set([1, 2]));
	// The one that came twice is the same message, so its code is the player's.
	const address = [...promised].find((one) => codes(one).length === 2) ?? '';
	const otp = smtp.codeTo(address);
	const changed = {
		userNameOrEmailAddress: address,
		otp,
		newPassword: 'Another#Pass9',
		confirmPassword: 'Another#Pass9',
	};
	expect((await server.answer('resetPassword', changed)).code).toBeNull();
});
