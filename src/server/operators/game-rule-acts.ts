/** The operator's rules of games. */
import { GAMES } from '#games/all-games.ts';
import { ALL_BRANDS, type GameRule } from '#server/money/casino/game-rules.ts';
import type { ActsOf, OperatorOptions } from '#server/operators/act.ts';
import { visibleBrands } from '#server/operators/today-acts.ts';
import { Refused } from '#values/error-catalogue.ts';
import { majorFromMinor } from '#values/money.ts';

interface NamedGame {
	game: string;
	name: string;
	provider: string | null;
}

const allGames = ({ providers }: OperatorOptions): NamedGame[] => [
	...GAMES.map(({ code, name }) => ({ game: code, name, provider: null })),
	...providers.games.all().map(({ code, name, provider }) => ({ game: code, name, provider: provider.name })),
];

const view = ({ isOpen, maxStake }: Pick<GameRule, 'isOpen' | 'maxStake'>) => ({
	open: isOpen,
	maxStake: maxStake === null ? null : majorFromMinor(maxStake),
});

/** @throws Refused UNKNOWN_GAME */
async function setRule(parts: OperatorOptions, rule: GameRule) {
	if (!allGames(parts).some(({ game }) => game === rule.game)) throw new Refused('UNKNOWN_GAME');
	await parts.gameRules.set(rule);
	return { game: rule.game, ...view(rule) };
}

export const GAME_RULE_ACTS: ActsOf<'game-rules' | 'game-rule-set' | 'game-rule-set-for-all'> = {
	'game-rules': (_, parts, { member }) => {
		const rules = parts.gameRules.all();
		const hosts = visibleBrands(parts, member).map(({ host }) => host);
		return allGames(parts).map((named) => ({
			...named,
			rules: [ALL_BRANDS, ...hosts].map((host) => {
				const own = rules.find(({ brand, game }) => brand === host && game === named.game);
				return { host: host === ALL_BRANDS ? null : host, ...view(own ?? { isOpen: true, maxStake: null }) };
			}),
		}));
	},
	'game-rule-set': async ({ host, game, open, maxStake = null }, parts) => {
		if (!parts.brands.byName(host)) throw new Refused('UNKNOWN_DOMAIN');
		return await setRule(parts, { brand: host, game, isOpen: open, maxStake });
	},
	'game-rule-set-for-all': async ({ game, open, maxStake = null }, parts) =>
		await setRule(parts, { brand: ALL_BRANDS, game, isOpen: open, maxStake }),
};
