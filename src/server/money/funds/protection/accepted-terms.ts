/**
 * The versions of a brand's terms and privacy policy that players accepted. Where the profile of the brand says so, a
 * player accepts the present ones before a bet, a round or a deposit. In memory for each stake, in the database for ever.
 */
import type pg from 'pg';
import type { DomainSetting } from '#contract/domain-setting.ts';
import { rulesAt } from '#contract/rules-at.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { PlayerId } from '#values/ids.ts';

type TermsKind = 'TERMS' | 'PRIVACY';

/** A text as it holds now. */
interface HeldText {
	kind: TermsKind;
	version: string;
	link: string;
	/** Null while the player has not accepted it. */
	acceptedAtMs: number | null;
}

interface AcceptedTermsOptions {
	db: pg.Pool;
	settingOf: (playerId: PlayerId) => DomainSetting | null;
	isDemo: (playerId: PlayerId) => boolean;
	/** The ledger's time. */
	clock: () => number;
}

const keyOf = ({ kind, version }: Pick<HeldText, 'kind' | 'version'>): string => `${kind} ${version}`;

export class AcceptedTerms {
	readonly #options: AcceptedTermsOptions;
	/** When each player accepted each version. */
	readonly #accepted = new Map<PlayerId, Map<string, number>>();

	constructor(options: AcceptedTermsOptions) {
		this.#options = options;
	}

	async load(): Promise<void> {
		const { rows } = await this.#options.db.query<{
			playerId: PlayerId;
			kind: TermsKind;
			version: string;
			atMs: number;
		}>('select player_id as "playerId", kind, version, at as "atMs" from accepted_terms');
		for (const { playerId, atMs, ...text } of rows) this.#note(playerId, text, atMs);
	}

	/** The texts of the player's brand that hold now; none where the brand has announced none. */
	held(playerId: PlayerId): HeldText[] {
		const { settingOf, clock } = this.#options;
		const nowMs = clock();
		const texts = settingOf(playerId)?.legalTexts.findLast(({ from }) => Date.parse(from) <= nowMs);
		if (!texts) return [];
		const { terms, termsLink, privacy, privacyLink } = texts;
		const named: Pick<HeldText, 'kind' | 'version' | 'link'>[] = [
			{ kind: 'TERMS', version: terms, link: termsLink },
			{ kind: 'PRIVACY', version: privacy, link: privacyLink },
		];
		const accepted = this.#accepted.get(playerId);
		return named.map((text) => ({ ...text, acceptedAtMs: accepted?.get(keyOf(text)) ?? null }));
	}

	/** Checked before a bet, a round or a deposit. @throws Refused TERMS_DUE */
	admit(playerId: PlayerId): void {
		const { settingOf, isDemo, clock } = this.#options;
		const setting = settingOf(playerId);
		if (!setting || isDemo(playerId) || !rulesAt(setting, clock).termsStored) return;
		if (this.held(playerId).some(({ acceptedAtMs }) => acceptedAtMs === null)) throw new Refused('TERMS_DUE');
	}

	/**
	 * Stores what the player read. Accepting again changes nothing: the first time stands.
	 * @throws Refused WRONG_STATE for other versions than those that hold now
	 */
	async accept(playerId: PlayerId, read: Readonly<Record<TermsKind, string>>, address: string): Promise<void> {
		const { db, settingOf, clock } = this.#options;
		const held = this.held(playerId);
		if (held.length === 0 || held.some(({ kind, version }) => read[kind] !== version)) throw new Refused('WRONG_STATE');
		const atMs = clock();
		await db.query(
			`insert into accepted_terms (player_id, kind, version, brand, at, address)
			 values ($1, 'TERMS', $2, $4, $5, $6), ($1, 'PRIVACY', $3, $4, $5, $6) on conflict do nothing`,
			[playerId, read.TERMS, read.PRIVACY, settingOf(playerId)?.domain, atMs, address],
		);
		for (const text of held) this.#note(playerId, text, atMs);
	}

	#note(playerId: PlayerId, text: Pick<HeldText, 'kind' | 'version'>, atMs: number): void {
		const accepted = this.#accepted.get(playerId) ?? new Map<string, number>();
		if (!accepted.has(keyOf(text))) accepted.set(keyOf(text), atMs);
		this.#accepted.set(playerId, accepted);
	}
}
