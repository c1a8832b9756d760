/** The studio's games: their payouts, and a player's view of a round. Amounts are minor units, multipliers hundredths. */
import { randomInt } from 'node:crypto';

export interface StudioGame {
	code: string;
	id: string;
	/** Of the provider that offers it. */
	provider: string;
	name: string;
	summary: string;
	rules: readonly string[];
	returnPercent: number;
	/** Rupees; 10 if it names none. */
	minStake?: number;
}

const CUPS_PAY = 288;
/** Each step is safe five times in eight: wherever the player stops, between 95.6 and 96% come back. */
const LADDER = [153, 245, 393, 629, 1_006, 1_610];
const SAFE_OF_EIGHT = 5;
const REELS = ['🍋', '🔔', '🍒', '⭐'];
/** The payout of three of a kind, by symbol: each has 1 chance in 64. */
const REEL_PAYS = [500, 1_000, 1_700, 2_900];

const REELS_GAME = {
	summary: 'Three reels with four symbols. Three of a kind pay up to 29 times the stake.',
	rules: ['Three of a kind pay: 🍋 5x, 🔔 10x, 🍒 17x, ⭐ 29x.', 'Every other line pays nothing.'],
	returnPercent: 95.3125,
	minStake: 1,
};

export const STUDIO_GAMES: readonly StudioGame[] = [
	{
		code: 'lantern-cups',
		id: '510001',
		provider: 'lantern',
		name: 'Three Cups',
		summary: 'A ball is under one of three cups. Find it for 2.88 times the stake.',
		rules: ['The ball is placed when the bet is taken.', 'The right cup pays 2.88x, the others nothing.'],
		returnPercent: 96,
	},
	{
		code: 'harbour-reels',
		id: '520001',
		provider: 'harbour',
		name: 'Harbour Reels',
		...REELS_GAME,
	},
	{ code: 'velvet-reels', id: '540001', provider: 'velvet', name: 'Velvet Reels', ...REELS_GAME },
	{ code: 'velvet-night', id: '540002', provider: 'velvet', name: 'Velvet Night', ...REELS_GAME },
	{ code: 'slate-reels', id: '550001', provider: 'slate', name: 'Slate Reels', ...REELS_GAME },
	{
		code: 'copper-ladder',
		id: '530001',
		provider: 'copper',
		name: 'Copper Ladder',
		summary: 'Climb step by step, and take the win before the ladder breaks.',
		rules: [
			'Each step holds five times in eight.',
			'The steps pay 1.53x, 2.45x, 3.93x, 6.29x, 10.06x and 16.10x.',
			'A broken step loses the stake.',
		],
		returnPercent: 95.625,
	},
];

/** The hidden draws of a round until it is over, and its progress. */
export interface Play {
	hidden: readonly number[];
	steps: number;
	/** Hundredths of the stake; null while the round goes on. */
	pays: number | null;
	text: string;
}

export function begun({ code }: StudioGame): Play {
	if (code === 'lantern-cups') return { hidden: [randomInt(3)], steps: 0, pays: null, text: 'Where is the ball?' };
	if (code === 'copper-ladder') {
		const hidden = LADDER.map(() => randomInt(8));
		return { hidden, steps: 0, pays: null, text: 'The ladder stands.' };
	}
	const hidden = [randomInt(4), randomInt(4), randomInt(4)];
	const [first = 0] = hidden;
	const pays = hidden.every((symbol) => symbol === first) ? (REEL_PAYS[first] ?? 0) : 0;
	return { hidden, steps: 1, pays, text: hidden.map((symbol) => REELS[symbol]).join(' ') };
}

/** @returns null for an action that is not possible now */
export function after({ code }: StudioGame, play: Play, action: string): Play | null {
	if (play.pays !== null) return null;
	if (code === 'lantern-cups') {
		if (!/^[0-2]$/.test(action)) return null;
		const isFound = Number(action) === play.hidden[0];
		const place = `The ball was under cup ${(play.hidden[0] ?? 0) + 1}.`;
		return { ...play, steps: 1, pays: isFound ? CUPS_PAY : 0, text: place };
	}
	if (action === 'take' && play.steps > 0) {
		const pays = LADDER[play.steps - 1] ?? 0;
		return { ...play, pays, text: `Taken after ${play.steps} steps.` };
	}
	if (action !== 'climb') return null;
	const steps = play.steps + 1;
	if ((play.hidden[steps - 1] ?? 0) >= SAFE_OF_EIGHT) return { ...play, steps, pays: 0, text: 'The step broke.' };
	const isTop = steps === LADDER.length;
	return { ...play, steps, pays: isTop ? (LADDER.at(-1) ?? 0) : null, text: `Step ${steps} holds.` };
}

/** The player's possible actions, with the words for their buttons. */
export function actionsOf({ code }: StudioGame, play: Play): { action: string; label: string }[] {
	if (play.pays !== null) return [];
	if (code === 'lantern-cups') return ['0', '1', '2'].map((action) => ({ action, label: `Cup ${Number(action) + 1}` }));
	const take = { action: 'take', label: `Take ${((LADDER[play.steps - 1] ?? 0) / 100).toFixed(2)}x` };
	return [{ action: 'climb', label: 'Climb' }, ...(play.steps > 0 ? [take] : [])];
}
