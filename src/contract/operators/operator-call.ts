/**
 * The contract of the operators' calls. Each is declared once with the permission it needs; the server, the console, the
 * command line and the tests read this declaration. Players have a contract of their own (`call.ts`).
 */
import type * as v from 'valibot';
import type { Permission } from '#values/staff-permissions.ts';

type Schema = v.GenericSchema;

/**
 * What a call is about, which decides which members may make it: staff of single brands act on the players, the money
 * and the settings of those brands alone.
 *
 * - `platform`: what all brands share, such as markets; only for staff of all brands.
 * - `player`: the player named by `userName` and `host`, or by `playerId`.
 * - `workflow`: the player behind the workflow named by `kind` and `id`.
 * - `brand`: the brand named by `host`.
 * - `own-brands`: the handler answers for the member's brands.
 */
export type About = 'platform' | 'player' | 'workflow' | 'brand' | 'own-brands';

export interface OperatorCall<Input extends Schema = Schema, Response extends Schema = Schema> {
	readonly permission: Permission;
	readonly about: About;
	/** A call that only reads is not recorded in the journal. */
	readonly looks: boolean;
	/**
	 * What the confirming member needs. Such a call is proposed by one member and confirmed by another; the console does
	 * not make it by itself. Null for what one member does alone.
	 */
	readonly confirm: Permission | null;
	readonly input: Input;
	readonly response: Response;
	/** One sentence. */
	readonly summary: string;
}

/** Declares a call; the function exists to infer the types of the schemas. */
export const defineOperatorCall = <Input extends Schema, Response extends Schema>(
	call: Omit<OperatorCall<Input, Response>, 'looks' | 'confirm'> & { looks?: boolean; confirm?: Permission },
): OperatorCall<Input, Response> => ({ looks: false, confirm: null, ...call });

export type OperatorInput<C> = C extends OperatorCall<infer Input, Schema> ? v.InferInput<Input> : never;
export type OperatorResult<C> = C extends OperatorCall<Schema, infer Response> ? v.InferInput<Response> : never;
