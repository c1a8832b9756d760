/** Acts that end what a brand has of a player: closing the account, then erasing the person. */
import { openWorkflowsOf } from '#server/exchange/recovery/stored-workflows.ts';
import { isoTime } from '#server/exchange/views/wire-views.ts';
import type { ActsOf, OperatorOptions, PreviewsOf } from '#server/operators/act.ts';
import { listedCases } from '#server/operators/cases/case-rows.ts';
import { ERASED, KEPT } from '#server/people/players/erasure.ts';
import { queuedTickets } from '#server/people/support/ticket-rows.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { PlayerId } from '#values/ids.ts';
import { moneyText } from '#values/money-text.ts';
import { isRealPool } from '#values/pools.ts';

/** @throws Refused UNKNOWN_USER */
function knownPlayer({ players }: OperatorOptions, playerId: string): PlayerId {
	const id = Number(playerId);
	if (players.nameOf(id) === null) throw new Refused('UNKNOWN_USER');
	return id;
}

/**
 * What keeps a person from being erased now, as sentences. A closed account takes no new risk, so what is over stays
 * over.
 */
async function hindrances(parts: OperatorOptions, playerId: PlayerId): Promise<string[]> {
	const { exchange, funds, db } = parts;
	const { closedAtMs, timeOutUntilMs } = funds.protection.of(playerId);
	const [workflows, cases, tickets] = await Promise.all([
		openWorkflowsOf(db, playerId),
		listedCases(db, null, playerId),
		queuedTickets(db, null, playerId),
	]);
	const wallet = exchange.wallet(playerId);
	const isHeld = wallet !== null && wallet.exposure + wallet.hold + wallet.bonus > 0;
	const isOwed = wallet !== null && isRealPool(wallet.pool) && wallet.cash !== 0;
	const complaints = tickets.filter(({ kind, state }) => kind === 'COMPLAINT' && state !== 'CLOSED');
	return [
		...(closedAtMs === null ? ['The account is not closed. Close it first.'] : []),
		...(exchange.openBets(playerId).length > 0 ? ['The player has open bets. They have to be settled first.'] : []),
		...workflows.map(({ kind, id, state }) => `${kind} ${id} is ${state}. It has to end first.`),
		...(isHeld && workflows.length === 0 ? ['Money of the player is held. It has to be free first.'] : []),
		...(isOwed ? [`The player has ${moneyText(wallet.currency, wallet.cash)}. It has to be paid out first.`] : []),
		...(timeOutUntilMs !== null && timeOutUntilMs > funds.protection.now()
			? [`The player is on a break until ${isoTime(timeOutUntilMs)}. Another account has to know of it until then.`]
			: []),
		...cases
			.filter(({ state }) => state === 'OPEN')
			.map(({ caseId }) => `Case ${caseId} is about the player. It has to be decided first.`),
		...complaints.map(({ ticketId }) => `Complaint ${ticketId} is open. It has to be closed first.`),
	];
}

/** @throws Refused WRONG_STATE with the sentences; FORBIDDEN for a demo player, of whom nothing is known */
async function checkErasable(parts: OperatorOptions, playerId: PlayerId): Promise<void> {
	if (parts.players.user(playerId).isDemo) throw new Refused('FORBIDDEN', {}, 'Nothing is known of a demo player.');
	const found = await hindrances(parts, playerId);
	if (found.length > 0) throw new Refused('WRONG_STATE', {}, found.join(' '));
}

export const ERASE_ACTS: ActsOf<'player-close' | 'player-erase'> = {
	'player-close': async ({ playerId }, parts, by) => {
		const id = knownPlayer(parts, playerId);
		const { protection, leave } = parts.funds;
		const { closedAtMs } = await protection.close(id, { actor: by.actor, address: by.address });
		await leave(id);
		return { closedAt: isoTime(closedAtMs ?? protection.now()) };
	},
	'player-erase': async ({ playerId }, parts, by) => {
		const id = knownPlayer(parts, playerId);
		const { ledger, protection, persons, staffAccounts } = parts.funds;
		const author = { actor: by.actor, address: by.address };
		// A withdrawal that is asked for at the same time takes the same turn.
		await ledger.turns.take(protection.turnOf(id), async () => {
			await checkErasable(parts, id);
			const accounts = persons.accounts(id);
			await protection.limits.leaveToOthers(id, author);
			await staffAccounts.leave(id, author);
			await parts.players.erase(id, author);
			// The others may have been connected through this one.
			for (const account of accounts) await persons.meet(account);
		});
		parts.changes.queuesChanged();
		return { playerId };
	},
};

export const ERASE_PREVIEWS: PreviewsOf<'player-erase'> = {
	'player-erase': {
		preview: async ({ playerId }, parts) => {
			const id = knownPlayer(parts, playerId);
			await checkErasable(parts, id);
			const others = parts.funds.persons.accounts(id).filter((account) => account !== id);
			const summary = [
				`Erased of ${parts.players.nameOf(id)}, for ever:`,
				...ERASED.map(({ words }) => words),
				'Kept:',
				...KEPT.map(({ words }) => words),
				...(others.length > 0
					? [`The person’s other accounts keep its limits, and are not touched otherwise: ${others.join(', ')}.`]
					: []),
			];
			return { summary, lines: [], total: 0, sums: [], basis: JSON.stringify([playerId, others]) };
		},
		isDone: ({ playerId }, { players }) => players.isErased(Number(playerId)),
	},
};
