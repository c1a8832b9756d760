/** Operations on the caller's account. */
import * as v from 'valibot';
import { GivenPassword } from '#contract/player-rules.ts';
import { makeApiKey } from '#server/calls/api-access.ts';
import { accountStatement, StatementRequest } from '#server/doors/bots-api/account-statement.ts';
import type { BotCaller } from '#server/doors/bots-api/caller.ts';
import { wireSize } from '#server/doors/bots-api/fields.ts';
import { type BotParts, given, operation, Text } from '#server/doors/bots-api/operation.ts';
import { freeCash } from '#server/exchange/free-cash.ts';
import type { ApiKey } from '#server/people/players/api-keys.ts';
import { currencyOf } from '#values/pools.ts';

const Nothing = v.object({});
const RATE_OF_ITSELF = 1;

function funds({ exchange }: BotParts, { login }: BotCaller) {
	const wallet = exchange.wallet(login.playerId);
	return {
		availableToBetBalance: wireSize(freeCash(wallet?.cash ?? 0, exchange.lacked(login.playerId))),
		exposure: -wireSize(wallet?.exposure ?? 0) + 0,
		retainedCommission: 0,
		exposureLimit: -wireSize(wallet?.limits?.maxExposure ?? 0) + 0,
		discountRate: 0,
		pointsBalance: 0,
		wallet: 'UK',
	};
}

function details({ login, visitor }: BotCaller) {
	return {
		currencyCode: currencyOf(login.pool),
		firstName: login.userName,
		lastName: '',
		localeCode: 'en',
		region: 'GBR',
		timezone: 'UTC',
		discountRate: 0,
		pointsBalance: 0,
		countryCode: visitor.country ?? 'IN',
	};
}

/** Keys are stored as digests: only the caller's own is known, and the one just made. */
function keyView({ keyId, name, hint }: ApiKey, appKey: string | null, owner: string) {
	return {
		appName: name,
		appId: keyId,
		appVersions: [
			{
				owner,
				versionId: keyId,
				version: '1.0',
				applicationKey: appKey ?? `…${hint}`,
				delayData: false,
				subscriptionRequired: false,
				ownerManaged: false,
				active: true,
			},
		],
	};
}

export const ACCOUNT_OPERATIONS = {
	getAccountFunds: operation({
		request: v.object({ wallet: given(Text) }),
		run: (parts, _, caller) => funds(parts, caller),
	}),
	getAccountDetails: operation({ request: Nothing, run: (_parts, _, caller) => details(caller) }),
	getAccountStatement: operation({ request: StatementRequest, readsHistory: true, run: accountStatement }),
	listCurrencyRates: operation({
		request: v.object({ fromCurrency: given(Text) }),
		run: (_parts, _, { login }) => [{ currencyCode: currencyOf(login.pool), rate: RATE_OF_ITSELF }],
	}),
	getDeveloperAppKeys: operation({
		request: Nothing,
		run: ({ players }, _, { login, key, appKey }) =>
			players.apiKeys
				.of(login.playerId)
				.map((own) => keyView(own, own.keyId === key.keyId ? appKey : null, login.userName)),
	}),
	// A bot can delegate only its own rights; a new key needs the player's password, as on the site.
	createDeveloperAppKeys: operation({
		request: v.object({
			appName: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(40)),
			password: GivenPassword,
		}),
		trades: true,
		run: async (parts, { appName, password }, caller) => {
			const { mayTrade, addresses, callsPerSecond } = caller.key;
			const asked = { name: appName, mayTrade, addresses, callsPerSecond, password };
			const made = await makeApiKey(parts, caller, asked);
			return keyView(made.key, made.appKey, caller.login.userName);
		},
	}),
};
