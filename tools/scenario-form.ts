/** The form of a scenario file and of the result of a run. */
import * as v from 'valibot';

const Operation = v.looseObject({ op: v.string() });

/** Amounts minor units, prices decimals. Values of an operation are not validated here: the engine judges them. */
export const ScenarioForm = v.object({
	name: v.optional(v.string()),
	market: v.object({
		runners: v.array(v.string()),
		numberOfWinners: v.optional(v.number(), 1),
		/** Each way, with `numberOfWinners` places. */
		eachWayDivisor: v.optional(v.number()),
		/** Prices are lines, decimals; the market has one runner. LAY buys, BACK sells, and a number settles it. */
		lines: v.optional(v.object({ min: v.number(), max: v.number(), interval: v.number() })),
		commissionBp: v.optional(v.number(), 0),
	}),
	users: v.record(v.string(), v.object({ funds: v.number(), commissionBp: v.optional(v.number()) })),
	rules: v.optional(
		v.object({
			selfMatch: v.optional(v.picklist(['ALLOW', 'REFUSE']), 'ALLOW'),
			minReductionBp: v.optional(v.number()),
		}),
		{},
	),
	ops: v.array(Operation),
});
export type Scenario = v.InferOutput<typeof ScenarioForm>;
export type Operation = v.InferOutput<typeof Operation>;

export interface Fill {
	runner: string;
	price: number;
	stake: number;
	maker: string;
	taker: string;
	backOrder: string;
	layOrder: string;
}

export interface Step {
	ok: boolean;
	reason?: string;
	fills?: Fill[];
	remaining?: number;
	lapsed?: { orderId: string; stake: number }[];
	/** Matches whose price a removal reduced, in the order of matching; and resting lays that it cut. */
	reduced?: { backOrder: string; layOrder: string; from: number; to: number }[];
	repriced?: { orderId: string; from: number; to: number }[];
	status: string;
	inPlay: boolean;
	/** By user. */
	exposure: Record<string, number>;
}

export interface BookLevel {
	price: number;
	orders: { orderId: string; remaining: number }[];
}

export interface Settlement {
	users: Record<string, { net: number; commission: number; profit: number; balance: number }>;
	commission: number;
	rounding: number;
}

export interface ScenarioReport {
	name?: string;
	steps: Step[];
	/** By runner: backs by rising price, lays by falling price, each price oldest first. */
	book: Record<string, { back: BookLevel[]; lay: BookLevel[] }>;
	orders: Record<string, { user: string; matched: number; remaining: number; cancelled: number; lapsed: number }>;
	settlement?: Settlement;
}
