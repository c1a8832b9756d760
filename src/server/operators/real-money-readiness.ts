/**
 * What a brand needs before it takes real money: a way to pay, keys, terms, age, the regulator's conditions and limits.
 * Each is a line of the list that the console and the command line show, with the field that sets it.
 */

import { isSimulatedPayee } from '#contract/domain-setting.ts';
import { rulesAt } from '#contract/rules-at.ts';
import type { OperatorOptions } from '#server/operators/act.ts';
import type { Brand } from '#server/world/brands/brands.ts';
import { lacksMarkets, NEEDS_MARKETS } from '#server/world/brands/lacks-markets.ts';
import { marketPools } from '#server/world/markets/market-pools.ts';
import { isRealPool } from '#values/pools.ts';

interface ReadinessItem {
	/** A name that stays. */
	item: string;
	isSet: boolean;
	/** What is needed, in a sentence. */
	needs: string;
	/** The field of the brand's setting; null for what the server's environment sets. */
	field: string | null;
	/** The section of the documents, as a path with a heading; null where the field says it. */
	document: string | null;
}

const BEACON = 'docs/RUNBOOK.md#connect-a-beacon';
const CONNECTING = 'docs/RUNBOOK.md#connect-a-payment-provider';
const ENGINES = 'docs/RUNBOOK.md#run-an-engine-a-pool';
/** Periods of the limits that a player begins with. */
const LIMITS = ['depositLimitDay', 'depositLimitWeek', 'depositLimitMonth', 'lossLimitDay'] as const;

export async function realMoneyReadiness(parts: OperatorOptions, brand: Brand): Promise<ReadinessItem[]> {
	return [
		...ofServer(parts),
		ofMarkets(parts, brand),
		...ofProfile(parts, brand),
		...ofSetting(brand),
		...(await ofPlayers(parts, brand)),
	];
}

const ofServer = ({ funds, ownKeys, outbox, beacon }: OperatorOptions): ReadinessItem[] => [
	{
		item: 'provider',
		isSet: funds.providers.real !== null,
		needs: 'A payment provider of real money is connected: HYPERSWITCH_URL and its keys.',
		field: null,
		document: CONNECTING,
	},
	{
		item: 'data-keys',
		isSet: ownKeys.data,
		needs: 'Personal data has keys of its own: DATA_KEYS.',
		field: null,
		document: CONNECTING,
	},
	{
		item: 'ledger-key',
		isSet: ownKeys.ledger,
		needs: 'The ledger is sealed with a key of its own: LEDGER_KEY.',
		field: null,
		document: CONNECTING,
	},
	{
		item: 'messages',
		isSet: outbox.delivers,
		needs: 'Codes reach players: SMS_GATEWAY_URL.',
		field: null,
		document: CONNECTING,
	},
	{
		item: 'beacon',
		isSet: beacon.pools.some(isRealPool),
		needs: 'A public beacon decides Crash and the tables: BEACON_RELAYS.',
		field: null,
		document: BEACON,
	},
];

const ofMarkets = ({ exchange }: Pick<OperatorOptions, 'exchange'>, { setting }: Brand): ReadinessItem => ({
	item: 'markets',
	isSet: !lacksMarkets(marketPools(exchange), setting),
	needs: NEEDS_MARKETS,
	field: null,
	document: ENGINES,
});

function ofProfile({ exchange, players }: OperatorOptions, { setting }: Brand): ReadinessItem[] {
	const { pools, termsStored, exclusionList } = rulesAt(setting, () => exchange.now());
	const document = 'docs/conformity/profiles.md';
	const allowed: ReadinessItem = {
		item: 'profile',
		isSet: pools.includes('REAL'),
		needs: 'The profile of the brand’s jurisdiction allows real money.',
		field: null,
		document,
	};
	const announced: ReadinessItem = {
		item: 'legalTexts',
		isSet: setting.legalTexts.length > 0,
		needs: 'Versions of the terms and the privacy policy are announced, which players accept.',
		field: null,
		document,
	};
	const asked: ReadinessItem = {
		item: 'exclusionList',
		isSet: players.asksRegisters,
		needs: `A bridge to the register of exclusions of the profile is connected: EXCLUSION_LIST_URL.`,
		field: null,
		document: 'docs/RUNBOOK.md#connect-a-register-of-exclusions',
	};
	return [allowed, ...(termsStored ? [announced] : []), ...(exclusionList ? [asked] : [])];
}

function ofSetting({ setting }: Brand): ReadinessItem[] {
	const { realMoney, funds, playerProtection, skipVerification } = setting;
	const { licence, countries, identity, location, terms, leastAge } = realMoney;
	const set = (field: string, isSet: boolean, needs: string): ReadinessItem => ({
		item: field,
		isSet,
		needs,
		field,
		document: null,
	});
	return [
		set('realMoney.licence', licence !== '', 'The regulator’s reference is named.'),
		set('realMoney.countries', countries.length > 0, 'The countries of its players are listed.'),
		set('realMoney.identity', identity !== 'NONE', 'Operators verify identity and age.'),
		set('realMoney.location', location !== 'NONE', 'A trusted proxy tells where a player is.'),
		set('realMoney.terms', terms !== '', 'The terms have an address.'),
		set('realMoney.leastAge', leastAge !== null, 'The least age is set.'),
		set('skipVerification', !skipVerification, 'A code proves each mobile.'),
		set('funds.payeeUpiId', !isSimulatedPayee(funds.payeeUpiId), 'Receipts are for an account of the brand’s own.'),
		...LIMITS.map((field) =>
			set(
				`playerProtection.${field}`,
				playerProtection[field] !== null,
				'A player begins with a limit, which the player may change.',
			),
		),
	];
}

/** Play money never becomes real: the players of a brand keep the pool that they registered with. */
async function ofPlayers({ db }: OperatorOptions, { host }: Brand): Promise<ReadinessItem[]> {
	const { rowCount } = await db.query(`select 1 from player where brand = $1 and pool not like 'REAL%' limit 1`, [
		host,
	]);
	const needs = 'The brand has no players of play money.';
	return [{ item: 'players', isSet: rowCount === 0, needs, field: null, document: CONNECTING }];
}
