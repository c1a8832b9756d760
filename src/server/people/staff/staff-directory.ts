/**
 * The operator's staff: the members of the console, and their permissions. In memory for every request, in the database
 * for the next start. Each change is written together with its row in the journal.
 */
import type pg from 'pg';
import { newRecoveryCodes, recoveryHash } from '#server/people/factors/recovery-codes.ts';
import type { Sealed } from '#server/platform/keys/data-keys.ts';
import { Turns } from '#server/platform/pacing/turns.ts';
import type { Act, Journal } from '#server/platform/postgres/journal.ts';
import { Refused } from '#values/error-catalogue.ts';
import { nameKey } from '#values/name-key.ts';
import { staffNameSkeleton } from '#values/staff-name.ts';
import { type Permission, STAFF_ROLES } from '#values/staff-permissions.ts';

export interface StaffMember {
	staffId: number;
	name: string;
	passwordHash: string;
	roles: string[];
	/** Hosts of brands; null for all brands and for shared data. */
	brands: string[] | null;
	/** Secret of the one-time codes; null until the member has set it up. */
	totp: Sealed | null;
	/** Time step of the last accepted code. */
	totpStep: number;
	recoveryHashes: string[];
	createdAtMs: number;
	removedAtMs: number | null;
}

/** The author of a change: a member, or the command line. */
export interface By {
	actor: string;
	address: string | null;
}

const OWNER = 'owner';

interface StaffRow {
	staff_id: number;
	name: string;
	password_hash: string;
	roles: string[];
	brands: string[] | null;
	totp_key_id: string | null;
	totp_secret: Buffer | null;
	totp_step: number;
	recovery_hashes: string[];
	created_at: number;
	removed_at: number | null;
}

const memberOf = (row: StaffRow): StaffMember => ({
	staffId: row.staff_id,
	name: row.name,
	passwordHash: row.password_hash,
	roles: row.roles,
	brands: row.brands,
	totp: row.totp_key_id && row.totp_secret ? { keyId: row.totp_key_id, bytes: row.totp_secret } : null,
	totpStep: row.totp_step,
	recoveryHashes: row.recovery_hashes,
	createdAtMs: row.created_at,
	removedAtMs: row.removed_at,
});

export class StaffDirectory {
	readonly #db: pg.Pool;
	readonly #journal: Journal;
	readonly #clock: () => number;
	readonly #members = new Map<number, StaffMember>();
	/** Owners who remove one another at the same time take turns, so that one is left. */
	readonly #rights = new Turns<'rights'>();
	readonly #roles = new Map<string, readonly Permission[]>(Object.entries(STAFF_ROLES));

	constructor({ db, journal, clock = Date.now }: { db: pg.Pool; journal: Journal; clock?: () => number }) {
		this.#db = db;
		this.#journal = journal;
		this.#clock = clock;
	}

	async load(): Promise<void> {
		const { rows } = await this.#db.query<StaffRow>('select * from staff');
		for (const row of rows) this.#members.set(row.staff_id, memberOf(row));
		const { rows: roles } = await this.#db.query<{ name: string; permissions: Permission[] }>(
			'select name, permissions from staff_role',
		);
		for (const { name, permissions } of roles) this.#roles.set(name, permissions);
	}

	/** Members that are not removed, by name. */
	all(): StaffMember[] {
		const present = [...this.#members.values()].filter(({ removedAtMs }) => removedAtMs === null);
		return present.sort((one, other) => one.name.localeCompare(other.name));
	}

	/** A member that is not removed. */
	byId(staffId: number): StaffMember | null {
		const member = this.#members.get(staffId);
		return member && member.removedAtMs === null ? member : null;
	}

	byName(name: string): StaffMember | null {
		const key = nameKey(name);
		return this.all().find((member) => nameKey(member.name) === key) ?? null;
	}

	/** A current or removed member. Names are not reused, so one names one person. */
	ever(who: number | string): StaffMember | null {
		if (typeof who === 'number') return this.#members.get(who) ?? null;
		const key = nameKey(who);
		return [...this.#members.values()].find(({ name }) => nameKey(name) === key) ?? null;
	}

	/** Whether a current or removed member has that name or a similar one; names are not reused. */
	isUsed(name: string): boolean {
		const skeleton = staffNameSkeleton(name);
		return [...this.#members.values()].some((member) => staffNameSkeleton(member.name) === skeleton);
	}

	/** Name of a current or removed member. */
	nameOf(staffId: number): string {
		return this.#members.get(staffId)?.name ?? `staff ${staffId}`;
	}

	roles(): { name: string; permissions: readonly Permission[]; isBuiltIn: boolean }[] {
		return [...this.#roles].map(([name, permissions]) => ({ name, permissions, isBuiltIn: name in STAFF_ROLES }));
	}

	permissionsOf({ roles }: Pick<StaffMember, 'roles'>): Set<Permission> {
		return new Set(roles.flatMap((role) => this.#roles.get(role) ?? []));
	}

	/** @throws Refused NAME_TAKEN, also for a name similar to that of a current or removed member; UNKNOWN_ROLE */
	async add(
		{ name, passwordHash, roles, brands }: Pick<StaffMember, 'name' | 'passwordHash' | 'roles' | 'brands'>,
		by: By,
	): Promise<StaffMember> {
		this.#checkRoles(roles);
		if (this.isUsed(name)) throw new Refused('NAME_TAKEN');
		const member = await this.#journal.change(async (client) => {
			const { rows } = await client.query<StaffRow>(
				`insert into staff (name, name_key, password_hash, roles, brands, created_at) values ($1, $2, $3, $4, $5, $6)
				 on conflict (name_key) do nothing returning *`,
				[name.trim(), nameKey(name), passwordHash, roles, brands, this.#clock()],
			);
			const [row] = rows;
			if (!row) throw new Refused('NAME_TAKEN');
			const act = await this.#act(client, memberOf(row), { act: 'staff-add', by, details: { roles, brands } });
			return { result: memberOf(row), act };
		});
		this.#members.set(member.staffId, member);
		return member;
	}

	/** @throws Refused UNKNOWN_STAFF; LAST_OWNER */
	async remove(staffId: number, by: By): Promise<void> {
		await this.#rights.take('rights', () => this.#remove(staffId, by));
	}

	async #remove(staffId: number, by: By): Promise<void> {
		const member = this.#find(staffId);
		this.#keepAnOwner(member, []);
		const now = this.#clock();
		await this.#journal.change(async (client) => {
			await client.query('update staff set removed_at = $2 where staff_id = $1', [staffId, now]);
			await client.query('delete from staff_session where staff_id = $1', [staffId]);
			await client.query('delete from staff_device where staff_id = $1', [staffId]);
			return { result: undefined, act: await this.#act(client, member, { act: 'staff-remove', by }) };
		});
		member.removedAtMs = now;
	}

	/** @throws Refused UNKNOWN_STAFF; UNKNOWN_ROLE; LAST_OWNER */
	async setRoles(staffId: number, roles: string[], brands: string[] | null, by: By): Promise<void> {
		await this.#rights.take('rights', () => this.#setRoles(staffId, roles, brands, by));
	}

	async #setRoles(staffId: number, roles: string[], brands: string[] | null, by: By): Promise<void> {
		const member = this.#find(staffId);
		this.#checkRoles(roles);
		this.#keepAnOwner(member, brands === null ? roles : []);
		const before = { roles: member.roles, brands: member.brands };
		await this.#journal.change(async (client) => {
			await client.query('update staff set roles = $2, brands = $3 where staff_id = $1', [staffId, roles, brands]);
			const act = await this.#act(client, member, { act: 'staff-roles', by, before, after: { roles, brands } });
			return { result: undefined, act };
		});
		Object.assign(member, { roles, brands });
	}

	/** Adds a role or replaces the permissions of one. @throws Refused NAME_TAKEN for the name of a built-in role */
	async setRole(name: string, permissions: Permission[], by: By): Promise<void> {
		if (name in STAFF_ROLES) throw new Refused('NAME_TAKEN');
		const before = this.#roles.get(name) ?? null;
		await this.#journal.change(async (client) => {
			await client.query(
				'insert into staff_role (name, permissions) values ($1, $2) on conflict (name) do update set permissions = $2',
				[name, permissions],
			);
			const row = await this.#journal.keep(client, 'staff_role', name);
			const act = { ...by, act: 'staff-role', subject: `role ${name}`, before, after: permissions, row };
			return { result: undefined, act };
		});
		this.#roles.set(name, permissions);
	}

	/**
	 * @param known the password's hash at the time of the member's proof; null for an operator who sets another password
	 * @throws Refused WRONG_CREDENTIALS if it was replaced meanwhile
	 */
	async setPassword(staffId: number, passwordHash: string, by: By, known: string | null = null): Promise<void> {
		const member = this.#find(staffId);
		await this.#journal.change(async (client) => {
			const { rowCount } = await client.query(
				'update staff set password_hash = $2 where staff_id = $1 and ($3::text is null or password_hash = $3)',
				[staffId, passwordHash, known],
			);
			if (rowCount !== 1) throw new Refused('WRONG_CREDENTIALS');
			return { result: undefined, act: await this.#act(client, member, { act: 'staff-password', by }) };
		});
		member.passwordHash = passwordHash;
	}

	/**
	 * Stores the secret of the one-time codes after its first code was checked.
	 * @returns recovery codes, which are shown once and stored as hashes
	 */
	async enrol(staffId: number, totp: Sealed, step: number, by: By): Promise<string[]> {
		const member = this.#find(staffId);
		const { codes, hashes: recoveryHashes } = newRecoveryCodes();
		await this.#journal.change(async (client) => {
			const { rowCount } = await client.query(
				`update staff set totp_key_id = $2, totp_secret = $3, totp_step = $4, recovery_hashes = $5
				 where staff_id = $1 and totp_key_id is null`,
				[staffId, totp.keyId, totp.bytes, step, recoveryHashes],
			);
			// Another session was first.
			if (rowCount !== 1) throw new Refused('WRONG_STATE');
			return { result: undefined, act: await this.#act(client, member, { act: 'staff-factor', by }) };
		});
		Object.assign(member, { totp, totpStep: step, recoveryHashes });
		return codes;
	}

	/** Stores the same secret of the one-time codes, sealed with another key. */
	async replaceSeal(staffId: number, totp: Sealed, by: By): Promise<void> {
		const member = this.#find(staffId);
		await this.#journal.change(async (client) => {
			await client.query('update staff set totp_key_id = $2, totp_secret = $3 where staff_id = $1', [
				staffId,
				totp.keyId,
				totp.bytes,
			]);
			return { result: undefined, act: await this.#act(client, member, { act: 'staff-factor-sealed', by }) };
		});
		Object.assign(member, { totp });
	}

	/** Marks a code as used. @returns false if a parallel request has used it */
	async acceptStep(staffId: number, step: number): Promise<boolean> {
		const { rowCount } = await this.#db.query(
			'update staff set totp_step = $2 where staff_id = $1 and totp_step < $2',
			[staffId, step],
		);
		if (rowCount === 1) this.#find(staffId).totpStep = step;
		return rowCount === 1;
	}

	/** @returns whether it was one of the member's recovery codes; if so, it is used up */
	async useRecoveryCode(staffId: number, code: string, by: By): Promise<boolean> {
		const member = this.#find(staffId);
		const hash = recoveryHash(code);
		if (!member.recoveryHashes.includes(hash)) return false;
		const wasThere = await this.#journal.change(async (client) => {
			const { rowCount } = await client.query(
				`update staff set recovery_hashes = array_remove(recovery_hashes, $2)
				 where staff_id = $1 and $2 = any (recovery_hashes)`,
				[staffId, hash],
			);
			const outcome = rowCount === 1 ? 'done' : 'WRONG_CODE';
			return { result: rowCount === 1, act: await this.#act(client, member, { act: 'staff-recovery', by, outcome }) };
		});
		member.recoveryHashes = member.recoveryHashes.filter((left) => left !== hash);
		return wasThere;
	}

	/** The member sets the second factor up again at the next log-in. */
	async resetFactor(staffId: number, by: By): Promise<void> {
		const member = this.#find(staffId);
		await this.#journal.change(async (client) => {
			await client.query(
				`update staff set totp_key_id = null, totp_secret = null, recovery_hashes = '{}' where staff_id = $1`,
				[staffId],
			);
			await client.query('delete from staff_device where staff_id = $1', [staffId]);
			return { result: undefined, act: await this.#act(client, member, { act: 'staff-factor-reset', by }) };
		});
		Object.assign(member, { totp: null, recoveryHashes: [] });
	}

	#find(staffId: number): StaffMember {
		const member = this.byId(staffId);
		if (!member) throw new Refused('UNKNOWN_STAFF');
		return member;
	}

	#checkRoles(roles: readonly string[]): void {
		const unknown = roles.find((role) => !this.#roles.has(role));
		if (unknown !== undefined) throw new Refused('UNKNOWN_ROLE', { role: unknown });
	}

	/** Without an owner of all brands, no member could add staff. */
	#keepAnOwner(member: StaffMember, rolesAfter: readonly string[]): void {
		const isOwner = ({ roles, brands }: StaffMember) => brands === null && roles.includes(OWNER);
		if (!isOwner(member) || rolesAfter.includes(OWNER)) return;
		if (this.all().filter(isOwner).length === 1) throw new Refused('LAST_OWNER');
	}

	/** The act of a change of a member's row, with the resulting content of the row. */
	async #act(
		client: pg.PoolClient,
		{ staffId, name }: Pick<StaffMember, 'staffId' | 'name'>,
		{ by, ...act }: { by: By } & Pick<Act, 'act' | 'details' | 'before' | 'after' | 'outcome'>,
	): Promise<Act> {
		const row = await this.#journal.keep(client, 'staff', staffId);
		return { ...by, ...act, subject: `staff ${name}`, row };
	}
}
