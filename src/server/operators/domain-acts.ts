/** Acts on domains (brands): list, show, set, add; and the sports of a single player. */
import * as v from 'valibot';
import { DomainName, Host, PlayerName } from '#contract/operators/fields.ts';
import { OPERATOR_CALLS } from '#contract/operators/registry.ts';
import { type Act, act, type OperatorOptions } from '#server/operators/act.ts';
import { setField } from '#server/operators/brand-acts.ts';
import type { Brand } from '#server/world/brands/brands.ts';
import { Refused } from '#values/error-catalogue.ts';
import { SPORTS } from '#values/sports.ts';

function domainOf({ brands }: OperatorOptions, name: string): Brand {
	const brand = brands.byName(name);
	if (!brand) throw new Refused('UNKNOWN_DOMAIN');
	return brand;
}

export const DOMAIN_ACTS: Record<string, Act> = {
	'domain-list': act({
		permission: 'brands.read',
		about: 'own-brands',
		input: v.strictObject({}),
		run: (_, { brands }) =>
			brands.all().map(({ host, setting }) => {
				const { domainTitle, theme, pool, allowSignUp, siteSuspended, version } = setting;
				return { host, domainTitle, theme, pool, allowSignUp, siteSuspended, version };
			}),
		looks: true,
	}),
	'domain-show': act({
		permission: 'brands.read',
		about: 'brand',
		input: v.strictObject({ host: DomainName }),
		run: ({ host }, parts) => domainOf(parts, host).setting,
		looks: true,
	}),
	'domain-add': act({
		permission: 'brands.edit',
		about: 'platform',
		input: v.strictObject({ host: DomainName }),
		run: async ({ host }, { brands }) => (await brands.add(host)).setting,
	}),
	'domain-set': act({
		permission: 'brands.edit',
		about: 'brand',
		input: OPERATOR_CALLS['brand-set'].input,
		run: async ({ host, field, value }, parts) => ({ host, ...(await setField(parts, host, field, value)) }),
	}),
	'player-sport': act({
		permission: 'players.edit',
		about: 'player',
		input: v.strictObject({
			userName: PlayerName,
			host: Host,
			sport: v.picklist(
				SPORTS.map(({ key }) => key),
				`A sport is one of ${SPORTS.map(({ key }) => key).join(', ')}.`,
			),
			allowed: v.boolean(),
		}),
		run: async ({ userName, host, sport, allowed }, { players, sports }) => {
			const player = players.findPlayer(userName, host);
			if (!player) throw new Refused('UNKNOWN_USER');
			await sports.set(player.playerId, sport, allowed);
			return { userName, host, closed: [...sports.closed(player.playerId)] };
		},
	}),
};
