import { storedWorkflows } from '#server/exchange/recovery/stored-workflows.ts';
import { openRounds } from '#server/money/funds/open-rounds.ts';
import { referenceOf } from '#server/money/funds/payments/order-reference.ts';
import type { OperatorOptions } from '#server/operators/act.ts';
import { type HeldMoney, heldMoney } from '#server/operators/held-money.ts';
import { type FindSubject, postingsWhere, type SubjectPosting } from '#server/operators/references/subject.ts';
import { moneyText } from '#server/operators/references/texts/answer-texts.ts';
import type { AnswerTexts } from '#server/operators/references/texts/en.ts';
import type { PlayerId } from '#values/ids.ts';
import type { Pool } from '#values/pools.ts';

function reasonText(held: HeldMoney, pool: Pool, { player }: AnswerTexts): string {
	const amount = moneyText(pool, held.amount);
	switch (held.of) {
		case 'market':
			return player.inMarket(amount, held.title);
		case 'round':
			return player.inRound(amount, held.game, held.id);
		case 'withdrawal':
			return player.inWithdrawal(amount, referenceOf('BLW', held.id));
		case 'dispute':
			return player.inDispute(amount, held.id);
	}
}

/** The reasons of some kinds under their sum, so that a sum never differs from what it lists. */
function underSum(
	all: readonly HeldMoney[],
	kinds: readonly HeldMoney['of'][],
	title: (amount: string) => string,
	{ pool, texts }: { pool: Pool; texts: AnswerTexts },
): string[] {
	const held = all.filter(({ of, amount }) => kinds.includes(of) && amount > 0);
	const sum = held.reduce((total, { amount }) => total + amount, 0);
	return held.length === 0 ? [] : [title(moneyText(pool, sum)), ...held.map((one) => reasonText(one, pool, texts))];
}

async function answer(parts: OperatorOptions, playerId: PlayerId) {
	const [rounds, workflows, { rows }] = await Promise.all([
		openRounds(parts.db, playerId),
		storedWorkflows(parts.db, {
			where: `wallet_id = $1 and is_open and kind in ('WITHDRAWAL', 'DISPUTE')`,
			values: [playerId],
		}),
		parts.reads.query<{ postings: SubjectPosting[] }>(`select ${postingsWhere('wallet_id = $1')} as postings`, [
			playerId,
		]),
	]);
	const { cash = 0, bonus = 0, pool = 'PLAY' } = parts.exchange.wallet(playerId) ?? {};
	const held = heldMoney(parts, playerId, rounds, workflows);
	return {
		say: (texts: AnswerTexts) => {
			const { player } = texts;
			return [
				cash < 0 ? player.owed(moneyText(pool, cash)) : player.balance(moneyText(pool, cash)),
				...(bonus > 0 ? [player.bonus(moneyText(pool, bonus))] : []),
				...underSum(held, ['market'], player.exposure, { pool, texts }),
				...underSum(held, ['withdrawal', 'dispute'], player.hold, { pool, texts }),
				...underSum(held, ['round'], player.rounds, { pool, texts }),
				...(held.some(({ amount }) => amount > 0) ? [] : [player.nothingHeld]),
			];
		},
		postings: rows[0]?.postings ?? [],
	};
}

export const findPlayer: FindSubject = async (parts, playerId) => {
	const userName = parts.players.nameOf(playerId);
	if (userName === null) return null;
	return { kind: 'player', id: playerId, playerId, about: userName, answer: () => answer(parts, playerId) };
};
