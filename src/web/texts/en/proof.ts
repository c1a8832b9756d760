export const PROOF_TEXTS = {
	title: 'Proof of your money',
	lead: 'At the end of each day the house adds up what it owes all its players, and signs the sum in a public log. Your browser checks here that all of your money is in that sum.',
	check: 'Check in this browser',
	checking: 'Checking',
	failed: (message: string) => `The check could not be made: ${message}`,
	of: (player: string, brand: string) => `The money of ${player} at ${brand}`,
	asOf: (day: string, pool: string) => `As it was at the end of ${day}, in ${pool}`,
	pools: { DEMO: 'demo coins', PLAY: 'play money', REAL: 'real money' },
	cash: 'Free',
	held: 'Held',
	bonus: 'Bonus',
	compare: 'Compare these amounts with your statement at that time. Only you know whether they are right.',
	statement: 'Open the statement',
	checks: {
		isOwn: {
			right: (leaves: number) => `All ${leaves} parts are yours, and no other player’s`,
			wrong: 'These are not all parts of your money, or another player’s',
		},
		isUnderRoot: {
			right: 'Each part is in the sum, and no amount on the way is below zero',
			wrong: 'A part is not in the sum, or an amount on the way is below zero',
		},
		isLogged: {
			right: 'The public log has this sum, and the house signed it',
			wrong: 'The signed public log does not have this sum',
		},
	},
	wrong: 'Save this proof and show it to support, or to anyone. It is evidence against the house.',
	total: 'What the house owed to all players together',
	shortfall: (amount: string) => `Some players owed ${amount}. That is not taken off the sum.`,
	pots: (amount: string) => `${amount} more lay in markets that were being settled, and belonged to no player yet.`,
	save: 'Save the proof',
	file: (day: string) => `proof-${day}.json`,
	key: 'The key that signs the log. Keep it: the saved proof is checked with it, also without this site.',
	proven: {
		title: 'What this proves',
		rows: [
			'Your money is in the sum that the house signed, whole and once. It cannot be taken out later.',
			'No debt of anybody makes the sum smaller.',
			'If the house left out money, a player who checks finds it. The more players check, the less can be left out.',
		],
	},
	believed: {
		title: 'What it does not prove',
		rows: [
			'That the house has the money: this is what it owes, and not what it owns.',
			'That the amounts are right: your statement says that, and you know it.',
			'That players who never check are in the sum.',
			'That all players are shown the same log: witnesses, and players who compare checkpoints, show that.',
		],
	},
	revealed: {
		title: 'What it reveals to others',
		rows: [
			'Nothing of yours: your money is split at random into parts with secret salts, in shuffled places, and again each day.',
			'To you: sums of random parts of unknown players, beside the way to the root, and the total of all.',
		],
	},
};
