/**
 * The conformance suite for game wallets: the required answers of any wallet to a provider, in each dialect. `npm run
 * wallet-test` runs it against an address; our own tests run it against the server and against wallets with planted
 * faults.
 *
 * This file has a wallet in the form for the suite's cases.
 */
import { randomUUID } from 'node:crypto';
import { Fault } from '#studio/conformance/verdicts.ts';
import type { Seated, Stake, WalletAnswer, WalletCall, WalletStatus } from '#studio/dialects/dialect.ts';
import { dialectOf, type ProviderAccount } from '#studio/provider-account.ts';

const TIMEOUT_MS = 15_000;
const SHOWN_CHARACTERS = 300;

/** The deviation of a request from a provider's. */
export interface Forgery {
	/** Replaces the key. */
	secret?: string;
	clockMs?: number;
	/** Replaces the signed body. */
	body?: string;
	isUnsigned?: boolean;
	/** Fields in the dialect's own form. */
	fields?: object;
	/** Replaces the call that the request was signed for. */
	path?: string;
}

export interface Said extends WalletAnswer {
	http: number;
	/** As received. */
	text: string;
}

interface TrialOptions {
	account: ProviderAccount;
	game: string;
	/** Opens the session for all cases. */
	launchToken: string;
	/** Minor units per bet. The player needs about twenty of them. */
	stake: number;
}

export class TriedWallet {
	readonly account: ProviderAccount;
	readonly game: string;
	readonly stake: number;
	readonly launchToken: string;
	#sessionToken = '';
	#userId = '';
	#currency: string | undefined;

	constructor({ account, game, launchToken, stake }: TrialOptions) {
		this.account = account;
		this.game = game;
		this.launchToken = launchToken;
		this.stake = stake;
	}

	get dialect() {
		return dialectOf(this.account);
	}

	get seat(): Seated {
		return { sessionToken: this.#sessionToken, userId: this.#userId, game: this.game, currency: this.#currency };
	}

	/** @throws Fault if the launch token opens no session */
	async open(): Promise<void> {
		const opened = await this.expect({ call: 'open', token: this.launchToken, game: this.game }, 'OK');
		this.#sessionToken = opened.sessionToken ?? this.launchToken;
		this.#userId = opened.userId ?? '';
		this.#currency = opened.currency;
	}

	/** @throws Fault for an answer outside the dialect */
	async ask(call: WalletCall, forgery: Forgery = {}): Promise<Said> {
		const { path, fields } = this.dialect.ask(call);
		const { secret = this.account.secret, clockMs = Date.now(), isUnsigned = false } = forgery;
		const { account, dialect } = this;
		const url = `${account.walletUrl}/${path}`;
		const toSign = { path: new URL(url).pathname, fields: { ...fields, ...forgery.fields } };
		const signed = dialect.sign({ ...account, secret }, toSign, clockMs);
		const response = await fetch(`${account.walletUrl}/${forgery.path ?? path}`, {
			method: 'POST',
			body: forgery.body ?? (isUnsigned ? dialect.write(toSign.fields) : signed.body),
			headers: isUnsigned ? {} : signed.headers,
			redirect: 'error',
			signal: AbortSignal.timeout(TIMEOUT_MS),
		});
		const text = await response.text();
		try {
			return { ...this.dialect.read(JSON.parse(text)), http: response.status, text };
		} catch {
			throw new Fault(`expected JSON, got ${response.status} ${text.slice(0, SHOWN_CHARACTERS)}`);
		}
	}

	/** @throws Fault for an answer with none of these statuses */
	async expect(call: WalletCall, status: WalletStatus | readonly WalletStatus[], forgery?: Forgery): Promise<Said> {
		const said = await this.ask(call, forgery);
		this.check(said, status);
		return said;
	}

	check(said: Said, status: WalletStatus | readonly WalletStatus[]): void {
		const words = [status].flat().map((one) => this.dialect.words[one]);
		if (words.includes(this.dialect.words[said.status])) return;
		throw new Fault(`expected ${words.join(' or ')}, got ${said.http} ${said.text.slice(0, SHOWN_CHARACTERS)}`);
	}

	/** Minor units. */
	async balance(): Promise<number> {
		const { balance } = await this.expect({ call: 'balance', ...this.seat }, 'OK');
		if (balance === undefined) throw new Fault('the answer to the call for the balance has no balance');
		return balance;
	}

	/** @throws Fault if the balance changes by any other amount. @param moved minor units */
	async expectMoved(moved: number, act: () => Promise<unknown>): Promise<void> {
		const before = await this.balance();
		await act();
		const by = (await this.balance()) - before;
		if (by !== moved) throw new Fault(`expected the balance to change by ${moved} minor units, it changed by ${by}`);
	}

	/** A bet that was never requested. */
	freshBet(changes: Partial<Stake> = {}): { call: 'bet' } & Stake {
		const { stake: amount } = this;
		const round = randomUUID();
		const { bet: txId } = this.dialect.idsOf(round);
		return { call: 'bet', ...this.seat, txId, round, amount, ...changes };
	}

	/** A field of the dialect with a different value. */
	saying(field: 'currencyField' | 'userField', value: string): object {
		const name = this.dialect[field];
		return name === null ? {} : { [name]: value };
	}

	winOf({ txId: refTxId, round }: Stake, amount: number): WalletCall & { call: 'win' } {
		return { call: 'win', ...this.seat, txId: this.dialect.idsOf(round).win, refTxId, round, amount };
	}

	rollbackOf({ txId: refTxId, round }: Stake): WalletCall & { call: 'rollback' } {
		return { call: 'rollback', ...this.seat, txId: this.dialect.idsOf(round).rollback, refTxId, round };
	}
}
