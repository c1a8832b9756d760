/**
 * The engines behind a gateway: one of all pools, or some with pools of their own. A call, a token and a hub connection
 * belong to one of them: that of the call's pool, or that whose key sealed the login's token, or that of the brand's pool.
 */
import type { Call } from '#contract/call.ts';
import type { DomainSetting } from '#contract/domain-setting.ts';
import { CALLS } from '#contract/registry.ts';
import type { AnswerCall, CheckedCall } from '#server/calls/checked-call.ts';
import type { FindDefinition } from '#server/calls/game-definition.ts';
import type { EngineLink, EngineState } from '#server/doors/gateway/engine-link.ts';
import type { HubBackend, HubBuses } from '#server/doors/hub/hub.ts';
import type { TokenClaim } from '#server/people/players/logins.ts';
import type { Brand, Brands } from '#server/world/brands/brands.ts';
import { HOME_CURRENCY } from '#values/currency-codes.ts';
import { Refused } from '#values/error-catalogue.ts';
import { type Pool, poolOf, poolsText } from '#values/pools.ts';

export class EngineLinks implements Pick<Brands, 'byHost' | 'byName'> {
	readonly #links: readonly EngineLink[];

	constructor(links: readonly EngineLink[]) {
		this.#links = links;
		this.buses = { all: links.map(({ bus }) => bus), of: (pool) => this.#of(pool).bus };
	}

	/** Whether the site of some engine is known: before that no host is. */
	get isKnown(): boolean {
		return this.#links.some(({ site }) => site.isKnown);
	}

	byHost(host: string): Brand | null {
		return host === 'default' ? null : this.byName(host);
	}

	/** As the engine of its pool has it; while that one is unknown, as a copy elsewhere. */
	byName(name: string): Brand | null {
		let copy: Brand | null = null;
		for (const { pools, site } of this.#links) {
			const brand = site.byName(name);
			if (brand && pools.includes(brand.pool)) return brand;
			copy ??= brand;
		}
		return copy;
	}

	readonly framed = (): readonly string[] => [...new Set(this.#links.flatMap(({ site }) => site.framed()))];

	readonly streams = (): readonly string[] =>
		this.#links.flatMap(({ projection }) =>
			projection.shown.fixtures.all().flatMap(({ streamUrl }) => streamUrl ?? []),
		);

	readonly findDefinition: FindDefinition = async (name) => {
		const found = await Promise.all(this.#links.map((link) => link.findDefinition(name).catch(() => null)));
		return found.find((definition) => definition !== null) ?? null;
	};

	/** Of the engine of the brand's pool, which has its pictures. @throws Refused OTHER_POOL */
	readonly findPicture = ({ host, pool }: Pick<Brand, 'host' | 'pool'>, name: string): Promise<Buffer | null> =>
		this.#of(pool).picture(host, name);

	readonly findPreview = async (host: string, secret: string): Promise<DomainSetting | null> => {
		const brand = this.byHost(host);
		return brand ? await this.#of(brand.pool).preview(host, secret) : null;
	};

	readonly claimOf = (accessToken: string): TokenClaim | null => this.#claimIn('access', accessToken);

	/** @throws Refused UNKNOWN_DOMAIN; OTHER_POOL if this gateway knows no engine of the pool */
	readonly answer: AnswerCall = (call) => this.#of(this.#poolOf(call)).answer(call);

	/** Each connection listens to the engine of its pool. */
	readonly buses: HubBuses;

	readonly backend: HubBackend = {
		brandOf: async (host) => {
			if (!this.isKnown) throw new Refused('STARTING');
			const brand = this.byHost(host);
			if (!brand) return null;
			// A visitor listens to the engine of the brand's pool, which has to be known here.
			this.#of(brand.pool);
			return { host: brand.host, pool: brand.pool };
		},
		findLogin: async (token, brand) => {
			const [pool] = this.claimOf(token)?.pools ?? [];
			return pool === undefined ? null : await this.#of(pool).backend.findLogin(token, brand);
		},
		refusals: (channels, viewer) => this.#of(viewer.pool).backend.refusals(channels, viewer),
		images: (channel, pool) => this.#of(pool).backend.images(channel, pool),
		balance: (playerId, pool) => this.#of(pool).backend.balance(playerId, pool),
		notices: (playerId, pool, lastMs) => this.#of(pool).backend.notices(playerId, pool, lastMs),
	};

	/** By the pools of each engine. */
	async states(): Promise<Record<string, EngineState>> {
		const states = this.#links.map(async (link) => [poolsText(link.pools), await link.state()] as const);
		return Object.fromEntries(await Promise.all(states));
	}

	#of(pool: Pool): EngineLink {
		const link = this.#links.find(({ pools }) => pools.includes(pool));
		if (!link) throw new Refused('OTHER_POOL');
		return link;
	}

	#poolOf({ name, host, claim, input }: CheckedCall): Pool {
		const { pool: declared, tokenIn }: Call = CALLS[name];
		if (declared) return poolOf(declared, this.byHost(host)?.setting.currency ?? HOME_CURRENCY);
		const token = tokenIn && (input as Record<string, string>)[tokenIn.field];
		const sealed = claim ?? (tokenIn && token ? this.#claimIn(tokenIn.kind, token) : null);
		const pool = sealed?.pools?.[0] ?? this.byHost(host)?.pool;
		if (!pool) throw new Refused('UNKNOWN_DOMAIN');
		return pool;
	}

	/** Tried with the key of each engine. */
	#claimIn(kind: 'access' | 'refresh', token: string): TokenClaim | null {
		for (const { tokens } of this.#links) {
			const claim = tokens.read(kind, token);
			if (claim) return claim;
		}
		return null;
	}
}
