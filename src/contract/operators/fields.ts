/** Fields that the operators' calls share. */
import * as v from 'valibot';
import { CURRENCIES } from '#values/currency-codes.ts';
import { PERMISSION_NAMES } from '#values/staff-permissions.ts';

/** Amounts by currency in major units, the home currency first; those of two are never added. Empty without any. */
export const Sums = v.array(v.object({ currency: v.picklist(CURRENCIES), amount: v.number() }));

/** The number of one of our records, sent as text. */
export const NumberId = v.pipe(v.string(), v.regex(/^\d{1,15}$/, 'The id is not valid: it is a number.'));

/** The number of a workflow, or the form that players read out, with its kind in front: `WITHDRAWAL-248822`. */
export const SpokenId = v.pipe(
	v.string(),
	v.regex(/^([A-Z_]{1,40}-)?\d{1,15}$/, 'The id is not valid: it is a number, or a kind and a number.'),
);

const KIND_IN_FRONT = /^(?:([A-Z_]+)-)?(\d+)$/;

/** An input with a `kind` and a SpokenId of that kind; the handler receives the number as text. */
export function ofWorkflow<Entries extends v.ObjectEntries>(
	input: v.StrictObjectSchema<Entries, undefined>,
): v.StrictObjectSchema<Entries, undefined> {
	// The fields stay texts, so the schema's types do.
	const named = input as unknown as v.StrictObjectSchema<
		{ kind: v.GenericSchema<string>; id: typeof SpokenId },
		undefined
	>;
	return v.pipe(
		named,
		v.check(({ kind, id }) => [undefined, kind].includes(KIND_IN_FRONT.exec(id)?.[1]), 'The id is of another kind.'),
		v.transform((workflow) => ({ ...workflow, id: KIND_IN_FRONT.exec(workflow.id)?.[2] ?? workflow.id })),
	) as unknown as v.StrictObjectSchema<Entries, undefined>;
}

/** A day of a brand's or the books' calendar, such as 2026-11-22. */
export const Day = v.pipe(v.string(), v.isoDate('A day looks like 2026-11-22.'));

/** A player's name as the player chose it, in any script; it is looked up, not validated. */
export const PlayerName = v.pipe(v.string(), v.minLength(1, 'Name a player.'), v.maxLength(256));
/** The host of a brand. */
export const Host = v.optional(v.pipe(v.string(), v.maxLength(253)), 'localhost');
export const DomainName = v.pipe(v.string(), v.maxLength(253));
/** A player by name on a brand, as the command line names one. */
export const PlayerOfBrand = v.strictObject({ userName: PlayerName, host: Host });
/** A player by id, as the console's screens know one, or by name on a brand; handlers refuse both together. */
export const NamedPlayer = v.strictObject({
	playerId: v.optional(NumberId),
	userName: v.optional(PlayerName),
	host: v.optional(DomainName),
});
export const OnMarket = v.strictObject({ marketId: NumberId });
export const RunnerName = v.pipe(v.string(), v.minLength(1), v.maxLength(100));
export const OnRunner = v.strictObject({ ...OnMarket.entries, runner: RunnerName });
/** Names of roles. */
export const Roles = v.pipe(v.array(v.pipe(v.string(), v.maxLength(40))), v.minLength(1, 'Give at least one role.'));
/** Hosts of brands; null for all of them. */
export const BrandHosts = v.nullable(v.pipe(v.array(DomainName), v.minLength(1, 'Name a brand, or all.')));
export const PermissionName = v.picklist(PERMISSION_NAMES);
/** Kinds of reasons for an adjustment of a balance. */
export const REASON_CODES = ['GOODWILL', 'BONUS', 'CORRECTION', 'COMPLAINT', 'FRAUD', 'TEST'] as const;
/** Why a member does something, for the journal. */
export const Reason = v.pipe(v.string(), v.trim(), v.minLength(3, 'Give a reason.'), v.maxLength(500));

/** A market's state, as acts on it return it. */
export const MarketStanding = v.object({
	marketId: v.string(),
	market: v.string(),
	status: v.string(),
	inPlay: v.boolean(),
	/** Rises with each suspension; acts that name it are refused if the market has changed since. */
	version: v.number(),
	runners: v.array(v.looseObject({ id: v.string(), name: v.string(), status: v.string() })),
});

/** For a period, players' stakes and winnings and the house's takings. */
export const RevenueFields = {
	/** Matched stakes of bets that won or lost, and stakes of games. */
	turnover: v.number(),
	/** Players' winnings, before commission; negative for losses. */
	playersWon: v.number(),
	commission: v.number(),
	/** Gross gaming revenue: players' losses and their commission. */
	ggr: v.number(),
};
