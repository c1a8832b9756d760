/** Checks of this machine and of what the process was given: keys, room on the disk, certificates. */
import { X509Certificate } from 'node:crypto';
import { statfs } from 'node:fs/promises';
import { failing, type HealthCheck, ok, warning } from '#server/process/health/check.ts';
import { DAY_MS } from '#values/time.ts';

const GIGABYTE = 2 ** 30;
const WARNING_SPACE = { share: 0.15, bytes: 5 * GIGABYTE };
const FAILING_SPACE = { share: 0.05, bytes: GIGABYTE };
const RENEW_DAYS = 30;
const EXPIRES_SOON_DAYS = 7;

/** Keys that the environment names, so that each can be changed alone. */
export function keysCheck(named: { ledger: boolean; data: boolean }, production: boolean): HealthCheck {
	const missing = [named.ledger ? null : 'LEDGER_KEY', named.data ? null : 'DATA_KEYS'].filter((name) => name !== null);
	if (!production || missing.length === 0) return ok('keys', 'Tokens, the ledger and personal data have their keys.');
	return warning(
		'keys',
		`${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} derived from TOKEN_KEY, which can then never be changed.`,
		'Set them to the values in use, as RUNBOOK, “Rotate TOKEN_KEY”, says.',
	);
}

/** Room on the disk of the embedded database. @param folder null for a database elsewhere */
export async function diskCheck(folder: string | null): Promise<HealthCheck> {
	if (folder === null) return ok('disk', 'The database is not in this process’s folder; its disk is watched there.');
	const { bavail, bsize, blocks } = await statfs(folder);
	const free = bavail * bsize;
	const share = blocks === 0 ? 1 : bavail / blocks;
	const words = `${(free / GIGABYTE).toFixed(1)} GB (${Math.round(share * 100)} %) are free at ${folder}.`;
	const isBelow = (limit: typeof FAILING_SPACE): boolean => share < limit.share && free < limit.bytes;
	if (isBelow(FAILING_SPACE)) return failing('disk', words, 'Make room now: a full disk stops all bets.');
	if (isBelow(WARNING_SPACE)) return warning('disk', words, 'Make room, or detach an old month of the ledger.');
	return ok('disk', words);
}

/** @param certificate of the bots' stream, PEM; null where the stream has none */
export function certificateCheck(certificate: string | null, nowMs: number): HealthCheck {
	if (certificate === null) return ok('certificate', 'This process terminates no TLS.');
	const { validTo, subject } = new X509Certificate(certificate);
	const days = Math.floor((Date.parse(validTo) - nowMs) / DAY_MS);
	const words =
		days < 0
			? `The certificate of the bots’ stream (${subject}) has expired on ${validTo}.`
			: `The certificate of the bots’ stream (${subject}) is valid for ${days} more days.`;
	const todo = 'Renew it, and restart the process by a hand-over.';
	if (days < EXPIRES_SOON_DAYS) return failing('certificate', words, todo);
	return days < RENEW_DAYS ? warning('certificate', words, todo) : ok('certificate', words);
}
