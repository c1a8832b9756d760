/** What is staked in a round that goes on is held money: it is shown as such, and a withdrawal names it. */
import { MINOR_PER_MAJOR } from '#values/money.ts';
import type { Account } from '../account.ts';
import type { World } from '../world.ts';
import { type Broken, inMajor, type Rule } from './rule.ts';

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);

/** Minor units in rounds that nothing but the account or its provider ends. */
async function inOpenRounds({ providerBets }: World, account: Account): Promise<number> {
	const { rounds } = await account.read('getOpenRounds', {});
	const ofProvider = providerBets.filter((bet) => bet.account === account && bet.state === 'OPEN');
	return sum(rounds.map(({ stake }) => stake)) * MINOR_PER_MAJOR + sum(ofProvider.map(({ amount }) => amount));
}

async function held(world: World, account: Account): Promise<Broken[]> {
	const open = await inOpenRounds(world, account);
	const { rounds } = await account.read('getHeldMoney', {});
	const { heldBack } = (await account.read('getPaymentInfo', {})).withdrawal;
	const shown = sum(rounds.map((round) => round.held)) * MINOR_PER_MAJOR;
	const named =
		sum(heldBack.filter(({ reason }) => reason === 'OPEN_ROUNDS').map(({ amount }) => amount)) * MINOR_PER_MAJOR;
	const said = `${account} has ${inMajor(open)} in open rounds`;
	return [
		...(shown < open
			? [{ rule: 'an open round is shown as held money', why: `${said}, ${inMajor(shown)} are shown` }]
			: []),
		...(named < open ? [{ rule: 'a withdrawal names open rounds', why: `${said}, ${inMajor(named)} are named` }] : []),
	];
}

export const HELD_MONEY: Rule = {
	check: async (world) => {
		const staked = new Set(world.happened.flatMap((one) => (one.what === 'staked' ? [one.account] : [])));
		const broken: Broken[] = [];
		for (const account of staked) broken.push(...(await held(world, account)));
		return broken;
	},
};
