/** Acts on players and on the clients of back ends. */
import * as v from 'valibot';
import { Amount } from '#contract/fields.ts';
import { Host, NumberId, PlayerName } from '#contract/operators/fields.ts';
import { NewUserName } from '#contract/player-rules.ts';
import { type Act, act, type OperatorOptions } from '#server/operators/act.ts';
import { Refused } from '#values/error-catalogue.ts';
import { majorFromPaise, paiseFromMajor } from '#values/money.ts';
import { isStreamAddress } from '#values/stream-address.ts';

/** Major units on the wire, paise inside. */
const LimitAmount = v.pipe(
	v.number(),
	v.minValue(0),
	v.transform((major) => paiseFromMajor(major) ?? Number.NaN),
	v.integer(),
);

/** @throws Refused UNKNOWN_USER */
export function playerOf({ players }: Pick<OperatorOptions, 'players'>, userName: string, host: string) {
	const player = players.findPlayer(userName, host);
	if (!player) throw new Refused('UNKNOWN_USER');
	return player;
}

export const PLAYER_ACTS: Record<string, Act> = {
	'create-player': act({
		permission: 'players.edit',
		about: 'brand',
		input: v.strictObject({
			userName: NewUserName,
			password: v.pipe(v.string(), v.minLength(8, 'A password has at least 8 characters.'), v.maxLength(256)),
			host: Host,
		}),
		run: async ({ userName, password, host }, { players, brands }) => {
			const brand = brands.byHost(host);
			if (!brand) throw new Refused('UNKNOWN_DOMAIN');
			const { playerId, pool } = await players.createPlayer({ userName, password, brand });
			return { playerId: String(playerId), userName, host, pool };
		},
	}),
	'add-money': act({
		permission: 'payments.adjust',
		about: 'player',
		input: v.strictObject({
			userName: PlayerName,
			host: Host,
			amount: Amount,
			grantId: v.pipe(v.number(), v.safeInteger()),
		}),
		run: async ({ userName, host, amount, grantId }, { players, exchange }) => {
			const player = players.findPlayer(userName, host);
			if (!player) throw new Refused('UNKNOWN_USER');
			const walletId = player.playerId;
			const done = await exchange.submit(
				{ kind: 'grant-coins', grantId, walletId, amount },
				{ walletId, clientRequestId: `grant-${grantId}`, body: `grant ${amount}` },
			);
			return { userName, added: majorFromPaise(amount), balance: majorFromPaise(done.balance) };
		},
	}),
	outbox: act({
		permission: 'audit.read',
		about: 'platform',
		input: v.strictObject({}),
		run: (_, { outbox }) => outbox.latest(),
	}),
	'create-client': act({
		permission: 'brands.edit',
		about: 'brand',
		input: v.strictObject({
			name: v.pipe(v.string(), v.minLength(1), v.maxLength(100)),
			redirectUri: v.pipe(v.string(), v.url('The address codes are sent to must be one.'), v.maxLength(500)),
			host: Host,
			endsWithLogin: v.optional(v.boolean(), false),
		}),
		run: async ({ name, redirectUri, host, endsWithLogin }, { players, brands }) => {
			if (!brands.byHost(host)) throw new Refused('UNKNOWN_DOMAIN');
			const client = await players.createClient(name, host, redirectUri, endsWithLogin);
			return { name, host, redirectUri, endsWithLogin, ...client };
		},
	}),
	stream: act({
		permission: 'markets.trade',
		about: 'platform',
		input: v.strictObject({
			eventId: NumberId,
			address: v.optional(
				v.pipe(v.string(), v.maxLength(500), v.check(isStreamAddress, 'A stream has an https address, or http here.')),
			),
		}),
		run: async ({ eventId, address }, { fixtures }) => {
			const fixture = fixtures.fixture(Number(eventId));
			if (!fixture) throw new Refused('UNKNOWN_FIXTURE');
			await fixtures.setStream(fixture.id, address ?? null);
			return { eventId, event: fixture.title, stream: address ?? null };
		},
	}),
	'player-limits': act({
		permission: 'players.edit',
		about: 'player',
		input: v.strictObject({
			userName: PlayerName,
			host: Host,
			/** Rupees; 0 means no limit. */
			maxStake: v.optional(LimitAmount, 0),
			maxProfit: v.optional(LimitAmount, 0),
			maxExposure: v.optional(LimitAmount, 0),
		}),
		run: async ({ userName, host, ...limits }, { players, exchange }) => {
			const player = players.findPlayer(userName, host);
			if (!player) throw new Refused('UNKNOWN_USER');
			await exchange.submit({ kind: 'set-limits', walletId: player.playerId, limits });
			const set = Object.entries(limits).map(([name, paise]) => [name, majorFromPaise(paise)]);
			return { userName, ...Object.fromEntries(set) };
		},
	}),
};
