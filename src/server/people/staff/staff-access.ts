/** Logging in to the console: password, second factor, sessions. */
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { enrolmentUri, newSecret, stepOfCode, typedSecret } from '#server/people/factors/one-time-codes.ts';
import { isRecoveryCode } from '#server/people/factors/recovery-codes.ts';
import type { Site } from '#server/people/factors/web-authn.ts';
import type { CookieJar, DeviceOwner, KnownDevices } from '#server/people/players/known-devices.ts';
import type { LoginThrottle } from '#server/people/players/login-throttle.ts';
import { hashPassword, verifyPassword } from '#server/people/players/passwords.ts';
import type { SecurityKeys } from '#server/people/staff/security-keys.ts';
import type { SignedOn } from '#server/people/staff/sign-on.ts';
import type { By, StaffDirectory, StaffMember } from '#server/people/staff/staff-directory.ts';
import type { StaffIdentities } from '#server/people/staff/staff-identities.ts';
import type { StaffSession, StaffSessions } from '#server/people/staff/staff-sessions.ts';
import type { DataKeys } from '#server/platform/keys/data-keys.ts';
import type { Journal } from '#server/platform/postgres/journal.ts';
import { Refused } from '#values/error-catalogue.ts';
import { nameKey } from '#values/name-key.ts';
import type { Permission } from '#values/staff-permissions.ts';

interface StaffAccessOptions {
	directory: StaffDirectory;
	sessions: StaffSessions;
	journal: Journal;
	keys: DataKeys;
	securityKeys: SecurityKeys;
	identities: StaffIdentities;
	throttle: LoginThrottle;
	devices: KnownDevices;
	/** In development, a member without a second factor is logged in with the password alone. */
	needsFactor: boolean;
	clock?: () => number;
}

/** The member behind a request whose session is fully authenticated. */
export interface Present {
	member: StaffMember;
	session: StaffSession;
	permissions: ReadonlySet<Permission>;
}

/** The next step of a session: a code, the setting up of codes, or none. */
type Stage = 'CODE' | 'ENROL' | 'IN';

interface Visit {
	address: string;
	userAgent: string;
	/** Token of a browser with a recent second factor. */
	device: string;
	/** Of the browser, which may have logged in as the member before: strangers' attempts do not slow it down. */
	cookies: CookieJar;
}

export const aboutFactor = (staffId: number): string => `second factor of staff ${staffId}`;

export class StaffAccess {
	readonly #options: StaffAccessOptions;
	readonly #clock: () => number;
	/** Secrets that are being set up, by session. */
	readonly #enrolling = new Map<string, Buffer>();

	constructor(options: StaffAccessOptions) {
		this.#options = options;
		this.#clock = options.clock ?? Date.now;
	}

	/**
	 * @throws Refused WRONG_CREDENTIALS after the same time for an unknown name; LOGIN_EXPIRED if the member's sessions
	 *   were ended meanwhile; THROTTLED; OVERLOADED
	 */
	async logIn(name: string, password: string, visit: Visit): Promise<{ token: string; stage: Stage }> {
		const { directory, sessions, throttle, devices } = this.#options;
		const member = directory.byName(name);
		const deviceId = member ? devices.find(deviceOwner(member), visit.cookies) : null;
		const tried = { account: `staff|${nameKey(name)}`, address: visit.address, deviceId };
		throttle.begin(tried);
		const endings = member ? sessions.endingsOf(member.staffId) : 0;
		if (!(await verifyPassword(password, member?.passwordHash ?? null)) || !member) {
			await this.#record('staff-log-in', member, visit.address, 'WRONG_CREDENTIALS');
			throw new Refused('WRONG_CREDENTIALS');
		}
		throttle.succeed(tried);
		return await this.#begin(member, visit, { act: 'staff-log-in', endings });
	}

	/**
	 * Logs in the member whom the company's log-in vouches for, in place of name and password: the second factor is shown
	 * as always.
	 * @throws Refused SIGN_ON_REFUSED for a person whom no member entered; LOGIN_EXPIRED as `logIn`
	 */
	async signOn(signedOn: SignedOn, visit: Visit): Promise<{ token: string; stage: Stage }> {
		const { identities, sessions } = this.#options;
		const member = await identities.memberOf(signedOn, visit.address);
		if (!member) {
			await this.#record('staff-sign-on', null, visit.address, 'SIGN_ON_REFUSED');
			throw new Refused('SIGN_ON_REFUSED');
		}
		return await this.#begin(member, visit, { act: 'staff-sign-on', endings: sessions.endingsOf(member.staffId) });
	}

	/** @param endings of the member's sessions when the log-in began */
	async #begin(
		member: StaffMember,
		visit: Visit,
		{ act, endings }: { act: string; endings: number },
	): Promise<{ token: string; stage: Stage }> {
		const { sessions } = this.#options;
		const isKnown = member.totp !== null && (await sessions.isKnownDevice(member.staffId, visit.device));
		const stage = isKnown ? 'IN' : this.#stageOf(member, null);
		const token = await sessions.begin(member.staffId, visit, stage === 'IN');
		// The checked password or identity, or the known browser, may no longer be valid.
		if (sessions.endingsOf(member.staffId) !== endings || !this.#options.directory.byId(member.staffId)) {
			await this.logOut(token);
			throw new Refused('LOGIN_EXPIRED');
		}
		await this.#record(act, member, visit.address, stage === 'IN' ? 'done' : 'SECOND_FACTOR_REQUIRED');
		return { token, stage };
	}

	/**
	 * Marks the browser of a fully authenticated member as known, so that strangers' attempts cannot lock the member out
	 * of it.
	 */
	welcome(token: string, cookies: CookieJar): void {
		const { member, stage } = this.standing(token) ?? {};
		if (member && stage === 'IN') this.#options.devices.welcome(deviceOwner(member), cookies);
	}

	/** The member of a token and the next step; null if the session has ended. */
	standing(token: string, isUsed = true): { member: StaffMember; session: StaffSession; stage: Stage } | null {
		const { directory, sessions } = this.#options;
		const session = sessions.find(token, isUsed);
		const member = session ? directory.byId(session.staffId) : null;
		return session && member ? { member, session, stage: this.#stageOf(member, session) } : null;
	}

	/** @throws Refused NOT_LOGGED_IN, LOGIN_EXPIRED, SECOND_FACTOR_REQUIRED */
	require(token: string, isUsed = true): Present {
		const found = this.standing(token, isUsed);
		if (!found) throw new Refused(token === '' ? 'NOT_LOGGED_IN' : 'LOGIN_EXPIRED');
		if (found.stage !== 'IN') throw new Refused('SECOND_FACTOR_REQUIRED');
		return { ...found, permissions: this.#options.directory.permissionsOf(found.member) };
	}

	/** The secret for the member's app; the same until it is set up or the session ends. */
	beginEnrolment(token: string): { secret: string; uri: string } {
		const { member, session } = this.#at(token, 'ENROL');
		const secret = this.#enrolling.get(session.sessionId) ?? newSecret();
		this.#enrolling.set(session.sessionId, secret);
		return { secret: typedSecret(secret), uri: enrolmentUri(secret, member.name) };
	}

	/** @throws Refused WRONG_CODE, THROTTLED */
	async finishEnrolment(token: string, code: string, address: string): Promise<{ token: string; codes: string[] }> {
		const { directory, sessions, keys } = this.#options;
		const { member, session } = this.#at(token, 'ENROL');
		const secret = this.#enrolling.get(session.sessionId);
		if (!secret) throw new Refused('WRONG_CODE');
		this.#try(member);
		const step = stepOfCode(secret, code, 0, this.#clock());
		if (step === null) throw new Refused('WRONG_CODE');
		this.#enrolling.delete(session.sessionId);
		const sealed = keys.seal(secret, aboutFactor(member.staffId));
		const codes = await directory.enrol(member.staffId, sealed, step, { actor: member.name, address });
		this.#options.throttle.succeedOf(codeKey(member));
		return { token: await sessions.complete(session), codes };
	}

	/**
	 * Checks a code of the app, or a recovery code.
	 * @param remember whether this browser needs no code for 30 days
	 * @throws Refused WRONG_CODE, THROTTLED
	 */
	async showCode(
		token: string,
		code: string,
		remember: boolean,
		address: string,
	): Promise<{ token: string; device: string | null }> {
		const { member, session } = this.#at(token, 'CODE');
		this.#try(member);
		if (!(await this.#accepts(member, code, address))) {
			await this.#record('staff-code', member, address, 'WRONG_CODE');
			throw new Refused('WRONG_CODE');
		}
		await this.#record('staff-code', member, address, 'done');
		return await this.#complete(member, session, remember);
	}

	/** A challenge for one of the member's keys, in place of a code. @throws Refused UNKNOWN_KEY */
	async beginKey(token: string, site: Site) {
		const { member, session } = this.#at(token, 'CODE');
		return await this.#options.securityKeys.beginShowing(session.sessionId, member, site);
	}

	/**
	 * Checks a security key in place of a code.
	 * @param remember whether this browser needs no key for 30 days
	 * @throws Refused WRONG_KEY, THROTTLED
	 */
	async showKey(
		token: string,
		{ response, remember }: { response: AuthenticationResponseJSON; remember: boolean },
		site: Site,
		address: string,
	): Promise<{ token: string; device: string | null }> {
		const { member, session } = this.#at(token, 'CODE');
		this.#try(member);
		const isShown = await this.#options.securityKeys.show(session.sessionId, member, response, site);
		await this.#record('staff-key', member, address, isShown ? 'done' : 'WRONG_KEY');
		if (!isShown) throw new Refused('WRONG_KEY');
		return await this.#complete(member, session, remember);
	}

	/** A challenge for a new key. @throws Refused WRONG_STATE before the app is set up; TOO_MANY_KEYS */
	async beginAddingKey({ member, session }: Present, site: Site) {
		// The app and its recovery codes are the way in for a member who has lost the keys.
		if (!member.totp) throw new Refused('WRONG_STATE');
		return await this.#options.securityKeys.beginAdding(session.sessionId, member, site);
	}

	/** @throws Refused WRONG_KEY, TOO_MANY_KEYS */
	async finishAddingKey(
		{ member, session }: Present,
		added: { name: string; response: RegistrationResponseJSON; site: Site },
		address: string,
	): Promise<void> {
		const by: By = { actor: member.name, address };
		await this.#options.securityKeys.finishAdding(session.sessionId, member, added, by);
	}

	/**
	 * Removes a key, with a code of the app, or a recovery code.
	 * @throws Refused WRONG_CODE, THROTTLED, UNKNOWN_KEY
	 */
	async removeKey(
		{ member }: Present,
		{ keyId, code }: { keyId: string; code: string },
		address: string,
	): Promise<void> {
		const { securityKeys, throttle } = this.#options;
		if (!securityKeys.of(member.staffId).some((key) => key.keyId === keyId)) throw new Refused('UNKNOWN_KEY');
		this.#try(member);
		if (!(await this.#accepts(member, code, address))) {
			await this.#record('staff-key-remove', member, address, 'WRONG_CODE');
			throw new Refused('WRONG_CODE');
		}
		throttle.succeedOf(codeKey(member));
		await securityKeys.remove(member.staffId, keyId, { actor: member.name, address });
	}

	/** The second factor was shown. */
	async #complete(member: StaffMember, session: StaffSession, remember: boolean) {
		const { sessions, throttle } = this.#options;
		throttle.succeedOf(codeKey(member));
		const device = remember ? await sessions.rememberDevice(member.staffId) : null;
		return { token: await sessions.complete(session), device };
	}

	async logOut(token: string): Promise<void> {
		const { sessions } = this.#options;
		const session = sessions.find(token);
		if (!session) return;
		this.#enrolling.delete(session.sessionId);
		this.#options.securityKeys.forgetSession(session.sessionId);
		await sessions.end(session.sessionId);
	}

	/** Ends the other sessions and forgets the browsers. @throws Refused WRONG_CREDENTIALS, THROTTLED */
	async changePassword({ member, session }: Present, current: string, next: string, address: string): Promise<void> {
		const { directory, sessions, throttle } = this.#options;
		// A guess through this session counts only for it, so that attempts from elsewhere do not delay the member.
		throttle.beginOf(session.sessionId);
		const known = member.passwordHash;
		if (!(await verifyPassword(current, known))) throw new Refused('WRONG_CREDENTIALS');
		throttle.succeedOf(session.sessionId);
		await directory.setPassword(member.staffId, await hashPassword(next), { actor: member.name, address }, known);
		await sessions.endOf(member.staffId, session.sessionId);
		await sessions.forgetDevices(member.staffId);
	}

	#stageOf(member: StaffMember, session: StaffSession | null): Stage {
		if (session?.factorAtMs) return 'IN';
		if (member.totp) return 'CODE';
		return this.#options.needsFactor ? 'ENROL' : 'IN';
	}

	#at(token: string, stage: Stage): { member: StaffMember; session: StaffSession } {
		const found = this.standing(token);
		if (!found) throw new Refused('LOGIN_EXPIRED');
		// In development a logged-in member may set the second factor up, too.
		if (found.stage !== stage && !(stage === 'ENROL' && !found.member.totp)) throw new Refused('FORBIDDEN');
		return found;
	}

	/** Codes are counted by member: a new session gives no new attempts. @throws Refused THROTTLED */
	#try(member: StaffMember): void {
		this.#options.throttle.beginOf(codeKey(member));
	}

	async #accepts(member: StaffMember, code: string, address: string): Promise<boolean> {
		const { directory, keys } = this.#options;
		if (!member.totp) return false;
		const by: By = { actor: member.name, address };
		if (isRecoveryCode(code)) return await directory.useRecoveryCode(member.staffId, code, by);
		const secret = keys.open(member.totp, aboutFactor(member.staffId));
		const step = stepOfCode(secret, code, member.totpStep, this.#clock());
		return step !== null && (await directory.acceptStep(member.staffId, step));
	}

	/** An unknown name is not recorded, because people type their passwords there. */
	async #record(act: string, member: StaffMember | null, address: string, outcome: string): Promise<void> {
		const actor = member?.name ?? 'unknown';
		await this.#options.journal.write({ actor, address, act, subject: `staff ${actor}`, outcome });
	}
}

const deviceOwner = ({ staffId: id, passwordHash }: StaffMember): DeviceOwner => ({ id, passwordHash });
const codeKey = ({ staffId }: StaffMember): string => `staff code ${staffId}`;
