/** Assembles the staff's accounts. */
import type pg from 'pg';
import { KnownDevices } from '#server/people/players/known-devices.ts';
import { LoginThrottle } from '#server/people/players/login-throttle.ts';
import { hashPassword, verifyPassword } from '#server/people/players/passwords.ts';
import { SavedViews } from '#server/people/staff/saved-views.ts';
import { SecurityKeys } from '#server/people/staff/security-keys.ts';
import { SignOn, type SignOnConfig } from '#server/people/staff/sign-on.ts';
import { aboutFactor, StaffAccess } from '#server/people/staff/staff-access.ts';
import { StaffDirectory } from '#server/people/staff/staff-directory.ts';
import { StaffIdentities } from '#server/people/staff/staff-identities.ts';
import { StaffSessions } from '#server/people/staff/staff-sessions.ts';
import type { DataKeys } from '#server/platform/keys/data-keys.ts';
import type { Journal } from '#server/platform/postgres/journal.ts';

export interface Staff {
	directory: StaffDirectory;
	sessions: StaffSessions;
	access: StaffAccess;
	securityKeys: SecurityKeys;
	savedViews: SavedViews;
	identities: StaffIdentities;
	/** The company's log-in; null without one. */
	signOn: SignOn | null;
	keys: DataKeys;
}

interface StaffOptions {
	db: pg.Pool;
	journal: Journal;
	keys: DataKeys;
	/** The server's secret, which seals the cookies of known devices. */
	tokenKey: string;
	/** Whether every member must have a second factor. */
	production: boolean;
	rateLimitFactor: number;
	signOn: SignOnConfig | null;
	clock?: () => number;
}

export async function openStaff(options: StaffOptions): Promise<Staff> {
	const { db, journal, keys, tokenKey, production, rateLimitFactor, clock = Date.now } = options;
	const directory = new StaffDirectory({ db, journal, clock });
	await directory.load();
	await sealFactorsAnew(directory, keys);
	if (production) await refuseDemoStaff(directory);
	const sessions = new StaffSessions({ db, clock });
	const securityKeys = new SecurityKeys({ db, journal, clock });
	const identities = new StaffIdentities({ db, journal, directory, clock });
	await Promise.all([sessions.load(), securityKeys.load(), identities.load()]);
	const signOn = options.signOn && new SignOn({ config: options.signOn, production, rateLimitFactor });
	const access = new StaffAccess({
		directory,
		sessions,
		journal,
		keys,
		securityKeys,
		identities,
		// Monotonic, unless a test says otherwise.
		throttle: new LoginThrottle(rateLimitFactor, options.clock ?? (() => performance.now())),
		devices: new KnownDevices(tokenKey, 'staff'),
		needsFactor: production,
		clock,
	});
	return { directory, sessions, access, securityKeys, savedViews: new SavedViews({ db }), identities, signOn, keys };
}

/** Seals factors of an older key with the current one, so that the older one can be removed. */
async function sealFactorsAnew(directory: StaffDirectory, keys: DataKeys): Promise<void> {
	for (const { staffId, totp } of directory.all()) {
		const anew = totp && keys.sealedAnew(totp, aboutFactor(staffId));
		if (anew) await directory.replaceSeal(staffId, anew, { actor: 'server', address: null });
	}
}

/** Members of the demonstration: two, because some acts need two persons. Their password is in the README. */
export const DEMO_STAFF = { names: ['owner', 'second owner'], password: 'Demo-owner-1' };

/** @throws Error in production */
export async function seedDemoStaff({ directory }: Staff, production: boolean): Promise<void> {
	if (production) throw new Error('The demonstration’s staff is not for production.');
	for (const name of DEMO_STAFF.names) {
		// A removed one stays removed.
		if (directory.isUsed(name)) continue;
		const passwordHash = await hashPassword(DEMO_STAFF.password);
		await directory.add({ name, passwordHash, roles: ['owner'], brands: null }, { actor: 'server', address: null });
	}
}

/** A database of the demonstration has members whose password is public. @throws Error if one of them is left */
async function refuseDemoStaff(directory: StaffDirectory): Promise<void> {
	for (const name of DEMO_STAFF.names) {
		const member = directory.byName(name);
		if (member && (await verifyPassword(DEMO_STAFF.password, member.passwordHash)))
			throw new Error(`The member of staff “${name}” has the demonstration’s password. Remove that member first.`);
	}
}
