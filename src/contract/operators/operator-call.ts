/**
 * The contract of the operators' calls. Each is declared once with the permission it needs; the server, the console, the
 * command line and the tests read this declaration. Players have a contract of their own (`call.ts`).
 */
import type * as v from 'valibot';
import type { Permission } from '#values/staff-permissions.ts';

type Schema = v.GenericSchema;
/** An input is an object of named fields: forms, the command line and the tests are generated from it. */
export type InputSchema = v.GenericSchema<object> & { readonly entries: v.ObjectEntries };

/**
 * The subject of a call, which decides which members may make it: staff of single brands act only on the players, the
 * money and the settings of those brands.
 *
 * - `platform`: shared by all brands, such as markets; only for staff of all brands.
 * - `player`: the player named by `userName` and `host`, or by `playerId`.
 * - `workflow`: the player behind the workflow named by `kind` and `id`.
 * - `case`: all players of the case named by `caseId`.
 * - `brand`: the brand named by `host`.
 * - `own-brands`: the handler answers for the member's brands.
 */
export type About = 'platform' | 'player' | 'workflow' | 'case' | 'brand' | 'own-brands';

export interface OperatorCall<
	Input extends InputSchema = InputSchema,
	Response extends Schema = Schema,
	Confirm extends Permission | null = Permission | null,
> {
	readonly permission: Permission;
	readonly about: About;
	/** A call that only reads is not recorded in the journal. */
	readonly looks: boolean;
	/**
	 * The confirming member's permission. Such a call is proposed by one member and confirmed by another; the console
	 * cannot make it directly. Null for a call that one member makes alone.
	 */
	readonly confirm: Confirm;
	/** It creates a password, of which the proposing and the confirming member see one half each. */
	readonly hasHalves: boolean;
	/**
	 * It stops bets, so it reaches the engine before its note is durable: an incident does not wait for the disk. It is
	 * answered when both are durable.
	 */
	readonly isUrgent: boolean;
	/** It is about this process, even if another one leads. */
	readonly isOwn: boolean;
	/** Limit of a request in bytes; null for the general limit. */
	readonly largestBody: number | null;
	readonly input: Input;
	/** The shape of `result` in the envelope. */
	readonly response: Response;
	/** One sentence for the console and the command line's help. */
	readonly summary: string;
}

type Flags = 'looks' | 'hasHalves' | 'isUrgent' | 'isOwn' | 'largestBody';

/** Declares a call; the function exists to infer the types of the schemas. */
export const defineOperatorCall = <
	Input extends InputSchema,
	Response extends Schema,
	Confirm extends Permission | null = null,
>(
	call: Omit<OperatorCall<Input, Response>, Flags | 'confirm'> &
		Partial<Pick<OperatorCall, Flags>> & { confirm?: Confirm },
): OperatorCall<Input, Response, Confirm> => {
	const { confirm = null as Confirm, ...declared } = call;
	return { looks: false, hasHalves: false, isUrgent: false, isOwn: false, largestBody: null, ...declared, confirm };
};

/** The input as a client sends it. */
export type OperatorInput<C> = C extends OperatorCall<infer Input, Schema> ? v.InferInput<Input> : never;
/** The `result` of a successful answer, in its wire form. */
export type OperatorResult<C> = C extends OperatorCall<InputSchema, infer Response> ? v.InferInput<Response> : never;
