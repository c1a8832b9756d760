/**
 * By which identity of the company's log-in a member of staff is known. No identity makes a member: two members enter it
 * beforehand, by the issuer's subject or by a mail address that the issuer has verified.
 */
import type pg from 'pg';
import type { SignedOn } from '#server/people/staff/sign-on.ts';
import type { By, StaffDirectory, StaffMember } from '#server/people/staff/staff-directory.ts';
import type { Journal } from '#server/platform/postgres/journal.ts';
import { Refused } from '#values/error-catalogue.ts';

interface StaffIdentity {
	staffId: number;
	issuer: string;
	/** In lower case. */
	email: string | null;
	subject: string | null;
}

interface StaffIdentitiesOptions {
	db: pg.Pool;
	journal: Journal;
	directory: Pick<StaffDirectory, 'byId'>;
	clock: () => number;
}

export class StaffIdentities {
	readonly #options: StaffIdentitiesOptions;
	readonly #identities = new Map<number, StaffIdentity>();

	constructor(options: StaffIdentitiesOptions) {
		this.#options = options;
	}

	async load(): Promise<void> {
		const { rows } = await this.#options.db.query<StaffIdentity>(
			'select staff_id as "staffId", issuer, email, subject from staff_identity where removed_at is null',
		);
		for (const row of rows) this.#identities.set(row.staffId, row);
	}

	of(staffId: number): StaffIdentity | null {
		return this.#identities.get(staffId) ?? null;
	}

	/**
	 * The member whom an identity names; null for none. The first log-in by an address keeps its subject: from then on the
	 * address alone opens nothing.
	 */
	async memberOf({ issuer, subject, email }: SignedOn, address: string): Promise<StaffMember | null> {
		const known = this.#present().filter((one) => one.issuer === issuer);
		const bySubject = known.find((one) => one.subject === subject);
		if (bySubject) return this.#options.directory.byId(bySubject.staffId);
		const byMail = email === null ? undefined : known.find((one) => one.email === email && one.subject === null);
		const member = byMail && this.#options.directory.byId(byMail.staffId);
		if (!byMail || !member) return null;
		await this.#write(member, { ...byMail, subject }, 'staff-identity-first', { actor: member.name, address });
		return member;
	}

	/**
	 * Replaces a member's identity.
	 * @throws Refused ALREADY_CLAIMED for that of another member
	 */
	async set(member: StaffMember, identity: Omit<StaffIdentity, 'staffId'>, by: By): Promise<void> {
		this.checkFree(member.staffId, identity);
		await this.#write(member, { staffId: member.staffId, ...identity }, 'staff-identity', by);
	}

	/** @throws Refused ALREADY_CLAIMED */
	checkFree(staffId: number, { issuer, email, subject }: Omit<StaffIdentity, 'staffId'>): void {
		const isOthers = (one: StaffIdentity) =>
			one.staffId !== staffId &&
			one.issuer === issuer &&
			((email !== null && one.email === email) || (subject !== null && one.subject === subject));
		if (this.#present().some(isOthers)) throw new Refused('ALREADY_CLAIMED');
	}

	/** @throws Refused NOT_FOUND */
	async remove(member: StaffMember, by: By): Promise<void> {
		if (!this.of(member.staffId)) throw new Refused('NOT_FOUND');
		const { journal, clock } = this.#options;
		await journal.change(async (client) => {
			await client.query('update staff_identity set removed_at = $2 where staff_id = $1', [member.staffId, clock()]);
			const row = await journal.keep(client, 'staff_identity', member.staffId);
			const act = { ...by, act: 'staff-identity', subject: `staff ${member.name}`, details: { removed: true }, row };
			return { result: undefined, act };
		});
		this.#identities.delete(member.staffId);
	}

	#present(): StaffIdentity[] {
		return [...this.#identities.values()];
	}

	async #write(member: StaffMember, identity: StaffIdentity, act: string, by: By): Promise<void> {
		const { journal, clock } = this.#options;
		const { staffId, issuer, email, subject } = identity;
		await journal.change(async (client) => {
			await client.query(
				`insert into staff_identity (staff_id, issuer, email, subject, entered_at) values ($1, $2, $3, $4, $5)
				 on conflict (staff_id) do update set issuer = excluded.issuer, email = excluded.email,
				   subject = excluded.subject, entered_at = excluded.entered_at, removed_at = null`,
				[staffId, issuer, email, subject, clock()],
			);
			const row = await journal.keep(client, 'staff_identity', staffId);
			const details = { issuer, hasSubject: subject !== null, hasAddress: email !== null };
			return { result: undefined, act: { ...by, act, subject: `staff ${member.name}`, details, row } };
		});
		this.#identities.set(staffId, identity);
	}
}
