/** Staff, roles and sessions. */
import * as v from 'valibot';
import { BrandHosts, Host, NumberId, PermissionName, PlayerName, Roles } from '#contract/operators/fields.ts';
import { defineOperatorCall } from '#contract/operators/operator-call.ts';
import { isMailAddress } from '#values/mail-address.ts';
import { isPlainStaffName, isReservedStaffName } from '#values/staff-name.ts';

const StaffName = v.pipe(
	v.string(),
	v.trim(),
	v.regex(/^[\p{L}\p{M}\p{N} ._@-]{2,64}$/u, 'The name has 2 to 64 letters or digits.'),
);
const NewStaffName = v.pipe(
	StaffName,
	v.check(isPlainStaffName, 'The name is of one script, without letters that look like others.'),
	v.check((name) => !isReservedStaffName(name), 'This name is not free.'),
);
/** Longer than a player's, because it opens more. */
export const StaffPassword = v.pipe(
	v.string(),
	v.minLength(12, 'A password has at least 12 characters.'),
	v.maxLength(256),
);

export const Member = v.object({
	staffId: v.string(),
	name: v.string(),
	roles: v.array(v.string()),
	brands: v.nullable(v.array(v.string())),
	/** The member's own accounts as a player; the member decides about no account of the same person. */
	players: v.array(v.object({ playerId: v.string(), userName: v.string(), brand: v.string() })),
	hasFactor: v.boolean(),
	/** By which identity of the company’s log-in the member is known; null for none. */
	identity: v.nullable(v.object({ email: v.nullable(v.string()), subject: v.nullable(v.string()) })),
	sessions: v.number(),
	createdAt: v.string(),
});

export const staffList = defineOperatorCall({
	permission: 'staff.read',
	about: 'platform',
	looks: true,
	input: v.strictObject({}),
	response: v.object({
		members: v.array(Member),
		roles: v.array(v.object({ name: v.string(), permissions: v.array(v.string()), isBuiltIn: v.boolean() })),
	}),
	summary: 'Members of staff, and the roles with their permissions.',
});

export const staffAdd = defineOperatorCall({
	permission: 'staff.edit',
	about: 'platform',
	confirm: 'staff.confirm',
	hasHalves: true,
	input: v.strictObject({ name: NewStaffName, roles: Roles, brands: v.optional(BrandHosts, null) }),
	/** The password, or its second half if it was proposed; shown only once. */
	response: v.object({ staffId: v.string(), name: v.string(), initialPassword: v.string() }),
	summary: 'Adds a member of staff with an initial password.',
});

export const staffRemove = defineOperatorCall({
	permission: 'staff.edit',
	about: 'platform',
	/** By the one or the other. */
	input: v.strictObject({ staffId: v.optional(NumberId), name: v.optional(StaffName) }),
	response: v.object({ removed: v.string() }),
	summary: 'Removes a member of staff, whose sessions end at once.',
});

export const staffRoles = defineOperatorCall({
	permission: 'staff.edit',
	about: 'platform',
	confirm: 'staff.confirm',
	input: v.strictObject({ staffId: NumberId, roles: Roles, brands: BrandHosts }),
	response: v.object({ roles: v.array(v.string()) }),
	summary: 'Gives a member other roles or brands.',
});

export const staffRole = defineOperatorCall({
	permission: 'staff.edit',
	about: 'platform',
	confirm: 'staff.confirm',
	input: v.strictObject({
		name: v.pipe(v.string(), v.trim(), v.regex(/^[\p{L}\p{N} -]{2,40}$/u, 'The name has 2 to 40 letters or digits.')),
		permissions: v.array(PermissionName),
	}),
	response: v.object({ name: v.string() }),
	summary: 'Adds a role, or changes the permissions of one that is not built in.',
});

export const staffFactorReset = defineOperatorCall({
	permission: 'staff.edit',
	about: 'platform',
	confirm: 'staff.confirm',
	input: v.strictObject({ staffId: NumberId }),
	response: v.object({ reset: v.string() }),
	summary: 'Lets a member set the second factor up anew at the next log-in.',
});

export const staffIdentity = defineOperatorCall({
	permission: 'staff.edit',
	about: 'platform',
	confirm: 'staff.confirm',
	input: v.strictObject({
		staffId: NumberId,
		/** A mail address that the issuer has verified; null for none. */
		email: v.optional(
			v.nullable(v.pipe(v.string(), v.trim(), v.toLowerCase(), v.check(isMailAddress, 'This is a mail address.'))),
			null,
		),
		/** The issuer's own id of the person; null for none. */
		subject: v.optional(v.nullable(v.pipe(v.string(), v.minLength(1), v.maxLength(255))), null),
	}),
	response: v.object({ name: v.string(), isEntered: v.boolean() }),
	summary: 'Says by which identity of the company’s log-in a member is known; without one, by none.',
});

/** A member and a player, each by id or by name. */
const MemberAndPlayer = v.strictObject({
	staffId: v.optional(NumberId),
	name: v.optional(StaffName),
	playerId: v.optional(NumberId),
	userName: v.optional(PlayerName),
	host: Host,
});

export const staffPlayerLink = defineOperatorCall({
	permission: 'staff.edit',
	about: 'platform',
	input: MemberAndPlayer,
	response: v.object({ name: v.string(), playerId: v.string() }),
	summary: 'Says that an account is a member’s own: the member decides about no account of that person.',
});

export const staffPlayerUnlink = defineOperatorCall({
	permission: 'staff.edit',
	about: 'platform',
	confirm: 'staff.confirm',
	input: MemberAndPlayer,
	response: v.object({ name: v.string(), playerId: v.string() }),
	summary: 'Says that an account is not the member’s own.',
});

export const staffSessions = defineOperatorCall({
	permission: 'staff.read',
	about: 'platform',
	looks: true,
	input: v.strictObject({ staffId: NumberId }),
	response: v.array(
		v.object({
			sessionId: v.string(),
			address: v.string(),
			browser: v.string(),
			since: v.string(),
			lastUsed: v.string(),
			hasFactor: v.boolean(),
		}),
	),
	summary: 'The sessions of a member.',
});

export const staffSessionEnd = defineOperatorCall({
	permission: 'staff.edit',
	about: 'platform',
	input: v.strictObject({ sessionId: v.pipe(v.string(), v.uuid()) }),
	response: v.object({ ended: v.boolean() }),
	summary: 'Ends a session.',
});

/** For a member who forgot it. One person alone could take over a member with it, so no member can make it. */
export const staffPassword = defineOperatorCall({
	permission: 'staff.edit',
	about: 'platform',
	input: v.strictObject({ name: v.string() }),
	response: v.object({ name: v.string(), password: v.string() }),
	summary: 'Gives a member of staff a new password, which is shown this once; the member’s sessions end.',
});
