/** An account that the adversary plays, with what the adversary itself knows of it. */
import { setTimeout as delay } from 'node:timers/promises';
import type { InputOf, ResultOf } from '#contract/call.ts';
import { CALLS, type CallName, type Calls } from '#contract/registry.ts';
import type { ErrorCode } from '#values/error-catalogue.ts';
import { plainRequest } from '../support/plain-request.ts';
import { inEnvelope } from '../support/server.ts';
import { PASSWORD } from '../support/sign-up.ts';
import { type AdversarySite, type Attacked, amountIn, currencyAt, HOSTS } from './site.ts';

/** Minor units. */
export interface Money {
	cash: number;
	exposure: number;
	hold: number;
	bonus: number;
}

/** What a call was answered: a result, or the code of a refusal. */
export interface Said<Result> {
	result: Result | null;
	code: ErrorCode | null;
}

/** A call that an account made, for the rules. */
export interface Call {
	account: Account;
	name: CallName;
	code: ErrorCode | null;
	/** The account was barred when it asked. */
	wasBarred: boolean;
}

/** Time that a break may have left when it no longer counts as one: the two clocks are not read at one instant. */
const ABOUT_MS = 60_000;

const MOST_TRIES = 20;
const AGAIN_AFTER_MS = 200;

export interface Registration {
	host: string;
	userName: string;
	mobile: string;
	/** Whose code it registers with. */
	inviter: Account | null;
}

export class Account {
	readonly host: string;
	readonly currency: Attacked;
	readonly userName: string;
	readonly mobile: string;
	/** Whose invitation it has: none of a player who is barred from inviting. */
	inviter: Account | null;
	readonly #site: AdversarySite;
	readonly #onCall: (call: Call) => void;
	token = '';
	userId = 0;
	/** Of a stake, as the account itself set it; major units. */
	stakeLimit: number | null = null;
	/** Until when the account itself, or one whose mobile was proven to be the same, is barred. */
	barredUntilMs = 0;
	appKey: string | null = null;

	constructor(site: AdversarySite, { host, userName, mobile, inviter }: Registration, onCall: (call: Call) => void) {
		this.#site = site;
		this.host = host;
		this.currency = currencyAt(host);
		this.userName = userName;
		this.mobile = mobile;
		this.inviter = inviter;
		this.#onCall = onCall;
	}

	/** An amount that an act names in rupees, in the account's currency; major units. */
	amount(rupees: number): number {
		return amountIn(this.currency, rupees);
	}

	/** The mobile was proven by a code. */
	get isProven(): boolean {
		return this.host === HOSTS[this.currency].proving;
	}

	get isBarred(): boolean {
		return Date.now() < this.barredUntilMs - ABOUT_MS;
	}

	get money(): Money {
		const wallet = this.#site.server.running.exchange.wallet(this.userId);
		const { cash = 0, exposure = 0, hold = 0, bonus = 0 } = wallet ?? {};
		return { cash, exposure, hold, bonus };
	}

	/** It rises with every change of the account's money. */
	get moneyVersion(): number {
		return this.#site.server.running.exchange.wallet(this.userId)?.version ?? 0;
	}

	/** The account's name in messages. */
	toString(): string {
		return this.userName;
	}

	async call<Name extends CallName>(name: Name, input: InputOf<Calls[Name]>): Promise<Said<ResultOf<Calls[Name]>>> {
		const wasBarred = this.isBarred;
		const { method, path, from } = CALLS[name];
		const inQuery = method === 'GET' || from === 'query';
		const query = inQuery ? `?${new URLSearchParams(input as unknown as Record<string, string>)}` : '';
		const { status, text } = await plainRequest(`${this.#site.server.url}/${path}${query}`, {
			method,
			...(inQuery ? {} : { body: JSON.stringify(input) }),
			headers: {
				Host: this.host,
				...(inQuery ? {} : { 'Content-Type': 'application/json' }),
				...(this.token === '' ? {} : { Authorization: `Bearer ${this.token}` }),
			},
		});
		const { body, code } = inEnvelope<ResultOf<Calls[Name]>>(status, text);
		this.#onCall({ account: this, name, code, wasBarred });
		return { result: body.result, code };
	}

	/** @throws Error when the answer is a refusal */
	async result<Name extends CallName>(name: Name, input: InputOf<Calls[Name]>): Promise<ResultOf<Calls[Name]>> {
		const { result, code } = await this.call(name, input);
		if (result === null || code !== null) throw new Error(`${this}: ${name} was refused: ${code}`);
		return result;
	}

	/** A reading that a busy server refused is asked for again: a rule that took it for an empty one would be wrong. */
	async read<Name extends CallName>(name: Name, input: InputOf<Calls[Name]>): Promise<ResultOf<Calls[Name]>> {
		for (let tries = 1; ; tries++) {
			const { result, code } = await this.call(name, input);
			if (result !== null) return result;
			if (tries === MOST_TRIES) throw new Error(`${this}: ${name} was refused: ${code}`);
			await delay(AGAIN_AFTER_MS);
		}
	}

	async register(): Promise<void> {
		const { userName, mobile } = this;
		const invitation = (await this.inviter?.call('getReferrerCode', {}))?.result ?? null;
		if (!invitation) this.inviter = null;
		const referralCode = invitation?.code ?? '';
		const form = { userName, password: PASSWORD, confirmPassword: PASSWORD, mobile, referralCode };
		const { autoVerifyCode } = await this.result('register', form);
		const otp = autoVerifyCode ?? (await this.#codeSent());
		this.#enter(await this.result('verificationUser', { userName, mobile, otp }));
		const { next } = await this.result('getSeeds', {});
		await this.result('rotateSeeds', { clientSeed: 'an-adversary', commitment: next.commitment });
	}

	/** What the server sent to the mobile. */
	async #codeSent(): Promise<string> {
		const sent = await this.#site.server.act<{ mobile: string; text: string }[]>('outbox', {});
		const text = sent.find(({ mobile }) => mobile === this.mobile)?.text ?? '';
		return /\d{6}/.exec(text)?.[0] ?? '';
	}

	/** A login ends when time has passed. */
	async logIn(): Promise<void> {
		this.token = '';
		this.#enter(await this.result('authenticate', { userNameOrEmailAddress: this.userName, password: PASSWORD }));
	}

	#enter({ accessToken, user }: { accessToken: string; user: { userId: string } }): void {
		this.token = accessToken;
		this.userId = Number(user.userId);
	}
}
