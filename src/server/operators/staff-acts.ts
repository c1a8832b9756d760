/** Acts on staff: members, roles, sessions. */
import { randomBytes } from 'node:crypto';
import { isoTime } from '#server/exchange/views/wire-views.ts';
import type { ActPreview, ActsOf, OperatorOptions, PreviewsOf } from '#server/operators/act.ts';
import { playerOf } from '#server/operators/player-acts.ts';
import { hashPassword } from '#server/people/players/passwords.ts';
import type { StaffMember } from '#server/people/staff/staff-directory.ts';
import { canonicalJson } from '#values/canonical-json.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { PlayerId } from '#values/ids.ts';

function memberOf({ staff }: Pick<OperatorOptions, 'staff'>, staffId: string): StaffMember {
	const member = staff.directory.byId(Number(staffId));
	if (!member) throw new Refused('UNKNOWN_STAFF');
	return member;
}

function namedMember({ staff }: Pick<OperatorOptions, 'staff'>, name: string): StaffMember {
	const member = staff.directory.byName(name);
	if (!member) throw new Refused('UNKNOWN_STAFF');
	return member;
}

interface NamedPair {
	staffId?: string | undefined;
	name?: string | undefined;
	playerId?: string | undefined;
	userName?: string | undefined;
	host: string;
}

/** @throws Refused UNKNOWN_USER */
function playerIn(parts: OperatorOptions, { playerId, userName, host }: NamedPair): PlayerId {
	const player = userName === undefined ? Number(playerId) : playerOf(parts, userName, host).playerId;
	if (parts.players.nameOf(player) === null) throw new Refused('UNKNOWN_USER');
	return player;
}

/** A member's account stays declared when the member leaves. @throws Refused UNKNOWN_STAFF, UNKNOWN_USER */
function pairEver(parts: OperatorOptions, pair: NamedPair): { member: StaffMember; playerId: PlayerId } {
	const member = parts.staff.directory.ever(pair.name ?? Number(pair.staffId));
	if (!member) throw new Refused('UNKNOWN_STAFF');
	return { member, playerId: playerIn(parts, pair) };
}

/** @throws Refused WRONG_STATE without a company's log-in */
function issuerOf(signOn: OperatorOptions['staff']['signOn']): string {
	if (!signOn) throw new Refused('WRONG_STATE');
	return signOn.issuer;
}

const newPassword = (): string => randomBytes(12).toString('base64url');

const identityView = (identity: { email: string | null; subject: string | null } | null) =>
	identity && { email: identity.email, subject: identity.subject };

const view = ({ staff, funds, players }: OperatorOptions, member: StaffMember) => ({
	staffId: String(member.staffId),
	name: member.name,
	roles: member.roles,
	brands: member.brands,
	players: funds.staffAccounts.of(member.staffId).map((playerId) => ({
		playerId: String(playerId),
		userName: players.nameOf(playerId) ?? '',
		brand: players.brandOf(playerId) ?? '',
	})),
	hasFactor: member.totp !== null,
	identity: identityView(staff.identities.of(member.staffId)),
	sessions: staff.sessions.of(member.staffId).length,
	createdAt: isoTime(member.createdAtMs),
});

const said = (summary: string[], basis: unknown): ActPreview => ({
	summary,
	lines: [],
	total: 0,
	sums: [],
	basis: JSON.stringify(basis),
});

const brandsOf = (brands: readonly string[] | null): string => (brands === null ? 'all brands' : brands.join(', '));

export const STAFF_ACTS: ActsOf<
	| 'staff-list'
	| 'staff-add'
	| 'staff-remove'
	| 'staff-roles'
	| 'staff-role'
	| 'staff-factor-reset'
	| 'staff-identity'
	| 'staff-player-link'
	| 'staff-player-unlink'
	| 'staff-sessions'
	| 'staff-session-end'
	| 'staff-password'
> = {
	'staff-list': (_, parts) => ({
		members: parts.staff.directory.all().map((member) => view(parts, member)),
		roles: parts.staff.directory.roles().map((role) => ({ ...role, permissions: [...role.permissions] })),
	}),
	/** The command line creates the first owner of an installation. */
	'staff-add': async ({ name, roles, brands }, { staff }, by, { half = '' } = {}) => {
		// The confirming member learns one half only, so neither can log in as the new member.
		const own = newPassword();
		const passwordHash = await hashPassword(`${half}${own}`);
		const member = await staff.directory.add({ name, passwordHash, roles, brands }, by);
		return { staffId: String(member.staffId), name: member.name, initialPassword: own };
	},
	'staff-remove': async ({ staffId, name }, parts, by) => {
		const member = name === undefined ? memberOf(parts, staffId ?? '') : namedMember(parts, name);
		await parts.staff.directory.remove(member.staffId, by);
		if (parts.staff.identities.of(member.staffId)) await parts.staff.identities.remove(member, by);
		await parts.staff.sessions.endOf(member.staffId);
		// The member's claims have ended.
		parts.changes.queuesChanged();
		return { removed: member.name };
	},
	'staff-roles': async ({ staffId, roles, brands }, { staff }, by) => {
		await staff.directory.setRoles(Number(staffId), roles, brands, by);
		return { roles };
	},
	'staff-role': async ({ name, permissions }, { staff }, by) => {
		await staff.directory.setRole(name, permissions, by);
		return { name };
	},
	'staff-factor-reset': async ({ staffId }, parts, by) => {
		const { name } = memberOf(parts, staffId);
		await parts.staff.securityKeys.removeAll(Number(staffId), by);
		await parts.staff.directory.resetFactor(Number(staffId), by);
		await parts.staff.sessions.endOf(Number(staffId));
		return { reset: name };
	},
	'staff-identity': async ({ staffId, email, subject }, parts, by) => {
		const { identities, signOn } = parts.staff;
		const member = memberOf(parts, staffId);
		if (email === null && subject === null) await identities.remove(member, by);
		else await identities.set(member, { issuer: issuerOf(signOn), email, subject }, by);
		// What the identity before has opened ends.
		await parts.staff.sessions.endOf(member.staffId);
		return { name: member.name, isEntered: email !== null || subject !== null };
	},
	'staff-player-link': async (input, parts, by) => {
		const { staffId, name } = input;
		const member = name === undefined ? memberOf(parts, staffId ?? '') : namedMember(parts, name);
		const playerId = playerIn(parts, input);
		await parts.funds.staffAccounts.link(playerId, member, by);
		return { name: member.name, playerId: String(playerId) };
	},
	'staff-player-unlink': async (input, parts, by) => {
		const { member, playerId } = pairEver(parts, input);
		await parts.funds.staffAccounts.unlink(playerId, member, by);
		return { name: member.name, playerId: String(playerId) };
	},
	'staff-sessions': ({ staffId }, { staff }) =>
		staff.sessions.of(Number(staffId)).map((session) => ({
			sessionId: session.sessionId,
			address: session.address,
			browser: session.userAgent,
			since: isoTime(session.createdAtMs),
			lastUsed: isoTime(session.lastUsedAtMs),
			hasFactor: session.factorAtMs !== null,
		})),
	'staff-session-end': async ({ sessionId }, { staff }) => {
		const staffId = staff.sessions.memberOf(sessionId);
		await staff.sessions.end(sessionId);
		// The browser may be in other hands: the second factor is required again.
		if (staffId !== null) await staff.sessions.forgetDevices(staffId);
		return { ended: true };
	},
	/** For a member who forgot the password: only the command line sets another one. */
	'staff-password': async ({ name }, parts, by) => {
		const { staff } = parts;
		const member = namedMember(parts, name);
		const password = newPassword();
		await staff.directory.setPassword(member.staffId, await hashPassword(password), by);
		await staff.sessions.endOf(member.staffId);
		await staff.sessions.forgetDevices(member.staffId);
		return { name: member.name, password };
	},
};

export const STAFF_PREVIEWS: PreviewsOf<
	'staff-add' | 'staff-roles' | 'staff-role' | 'staff-factor-reset' | 'staff-identity' | 'staff-player-unlink'
> = {
	'staff-add': {
		preview: ({ name, roles, brands }, { staff }) => {
			if (staff.directory.isUsed(name)) throw new Refused('NAME_TAKEN');
			return said([`${name} becomes ${roles.join(', ')} of ${brandsOf(brands)}.`], [name, roles, brands]);
		},
		// The shown half of the password is lost with its answer: the command line sets another one.
		isDone: ({ name, roles, brands }, { staff }) => {
			const added = staff.directory.ever(name);
			return added !== null && canonicalJson([added.roles, added.brands]) === canonicalJson([roles, brands]);
		},
	},
	'staff-roles': {
		preview: ({ staffId, roles, brands }, parts) => {
			const { name, roles: before, brands: brandsBefore } = memberOf(parts, staffId);
			const now = `${name} is ${before.join(', ')} of ${brandsOf(brandsBefore)}.`;
			return said([now, `${name} becomes ${roles.join(', ')} of ${brandsOf(brands)}.`], [before, brandsBefore]);
		},
		isDone: ({ staffId, roles, brands }, parts) => {
			const now = memberOf(parts, staffId);
			return canonicalJson([now.roles, now.brands]) === canonicalJson([roles, brands]);
		},
	},
	'staff-role': {
		preview: ({ name, permissions }, { staff }) => {
			const before = staff.directory.roles().find((role) => role.name === name);
			if (before?.isBuiltIn) throw new Refused('NAME_TAKEN');
			return said([`The role ${name} may: ${permissions.join(', ')}.`], before ?? null);
		},
		isDone: ({ name, permissions }, { staff }) => {
			const now = staff.directory.roles().find((role) => role.name === name);
			return canonicalJson(now?.permissions ?? null) === canonicalJson(permissions);
		},
	},
	'staff-factor-reset': {
		preview: ({ staffId }, parts) => {
			const { name, totp } = memberOf(parts, staffId);
			return said(
				[`${name} sets the second factor up anew at the next log-in.`],
				[name, totp?.bytes.toString('base64') ?? null],
			);
		},
		isDone: ({ staffId }, parts) => {
			const { securityKeys, sessions } = parts.staff;
			const { totp } = memberOf(parts, staffId);
			const opens = [...securityKeys.of(Number(staffId)), ...sessions.of(Number(staffId))];
			return totp === null && opens.length === 0;
		},
	},
	'staff-identity': {
		preview: ({ staffId, email, subject }, parts) => {
			const { identities, signOn } = parts.staff;
			const { name } = memberOf(parts, staffId);
			const before = identities.of(Number(staffId));
			if (email === null && subject === null) {
				if (!before) throw new Refused('NOT_FOUND');
				return said([`${name} logs in by the company’s log-in no more.`], before);
			}
			const issuer = issuerOf(signOn);
			identities.checkFree(Number(staffId), { issuer, email, subject });
			const named = [email && `the address ${email}`, subject && `the subject ${subject}`]
				.filter(Boolean)
				.join(' and ');
			return said([`${issuer} may log ${name} in: ${named}.`], [issuer, before]);
		},
		isDone: ({ staffId, email, subject }, parts) => {
			const { identities, sessions } = parts.staff;
			const now = identityView(identities.of(memberOf(parts, staffId).staffId)) ?? { email: null, subject: null };
			// What the identity before has opened ends after it.
			return canonicalJson(now) === canonicalJson({ email, subject }) && sessions.of(Number(staffId)).length === 0;
		},
	},
	'staff-player-unlink': {
		preview: (input, parts) => {
			const { member, playerId } = pairEver(parts, input);
			const accounts = parts.funds.staffAccounts.of(member.staffId);
			if (!accounts.includes(playerId)) throw new Refused('NOT_FOUND');
			return said([`${member.name} may decide about the player ${parts.players.nameOf(playerId)}.`], accounts);
		},
		isDone: (input, parts) => {
			const { member, playerId } = pairEver(parts, input);
			return !parts.funds.staffAccounts.of(member.staffId).includes(playerId);
		},
		accounts: (input, parts) => [playerIn(parts, input)],
	},
};
