/** Whether a member of staff may make a call: by permission, by the member's brands, and not about an account of the member's own. */
import type { About } from '#contract/operators/operator-call.ts';
import type { TransferKind } from '#engine/effect.ts';
import type { Act, ActingMember, AskedAct, OperatorOptions } from '#server/operators/act.ts';
import { caseOf } from '#server/operators/cases/case-rows.ts';
import { namedPlayer } from '#server/operators/player-acts.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { PlayerId } from '#values/ids.ts';

/** The fields that name the subject of an input. */
interface Named {
	host?: string;
	userName?: string;
	playerId?: string;
	/** Another player, of whom the answer tells something. */
	otherId?: string;
	kind?: TransferKind;
	id?: string;
	caseId?: string;
}

/** The brands of an input's subject; none for subjects shared by all brands. */
async function brandsOf(about: About, input: Named, options: OperatorOptions): Promise<(string | null)[]> {
	const { otherId } = input;
	if (about === 'player' && otherId !== undefined)
		return [await brandOf(about, input, options), options.players.brandOf(Number(otherId))];
	if (about !== 'case') return [await brandOf(about, input, options)];
	const { players } = await caseOf(options.db, Number(input.caseId));
	return players.map(({ brand }) => brand);
}

/** The brand of an input's subject; null for subjects shared by all brands. */
async function brandOf(about: About, input: Named, { players, funds }: OperatorOptions): Promise<string | null> {
	const { host = null, playerId, kind, id } = input;
	switch (about) {
		case 'brand':
			return host;
		case 'player':
			return playerId === undefined ? host : players.brandOf(Number(playerId));
		case 'workflow':
			return kind && id ? players.brandOf((await funds.ledger.find(kind, Number(id))).walletId) : null;
		default:
			return null;
	}
}

/**
 * Whether the first of two persons may still do what was proposed: the second one's word alone decides nothing. An account
 * that became known as the first one's own since is treated as one that was known before.
 * @param who the member's id or name; a name that is no member's is of the command line, whose key opens every act
 */
export async function stillMay(
	who: number | string,
	act: Pick<Act, 'permission' | 'about'>,
	asked: AboutAccounts,
	options: OperatorOptions,
): Promise<boolean> {
	const { directory } = options.staff;
	const member = directory.ever(who);
	if (!member) return true;
	if (member.removedAtMs !== null) return false;
	const { staffId, brands, name } = member;
	try {
		await authorize({ staffId, permissions: directory.permissionsOf(member), brands }, act, asked.input, options);
		return !(await isOwnAccount(act.about, asked, options, name));
	} catch (error) {
		if (error instanceof Refused && error.code === 'FORBIDDEN') return false;
		throw error;
	}
}

/** The member as of now, who may have lost rights while a request waited. @throws Refused FORBIDDEN for one who was removed */
export function memberNow({ staff }: Pick<OperatorOptions, 'staff'>, { staffId }: ActingMember): ActingMember {
	const member = staff.directory.byId(staffId);
	if (!member) throw new Refused('FORBIDDEN');
	return { staffId, brands: member.brands, permissions: staff.directory.permissionsOf(member) };
}

/** @throws Refused FORBIDDEN; the refusals of looking the subject up */
export async function authorize(
	{ permissions, brands }: ActingMember,
	{ permission, about }: Pick<Act, 'permission' | 'about'>,
	input: object,
	options: OperatorOptions,
): Promise<void> {
	if (!permissions.has(permission)) throw new Refused('FORBIDDEN', { permission });
	if (brands === null || about === 'own-brands') return;
	for (const brand of await brandsOf(about, input, options))
		if (brand === null || !brands.includes(brand)) throw new Refused('FORBIDDEN', { brand });
}

/** What an act is asked about. */
type AboutAccounts = Pick<AskedAct, 'input' | 'accounts'>;

/** The accounts that an input is about. @throws Refused, as looking the subject up does */
async function accountsOf(about: About, input: Named, options: OperatorOptions): Promise<PlayerId[]> {
	const { kind, id, otherId, caseId } = input;
	switch (about) {
		case 'player':
			return [namedPlayer(options, input).playerId, ...(otherId === undefined ? [] : [Number(otherId)])];
		case 'workflow':
			return kind && id ? [(await options.funds.ledger.find(kind, Number(id))).walletId] : [];
		case 'case':
			return (await caseOf(options.db, Number(caseId))).players.map(({ playerId }) => playerId);
		default:
			return [];
	}
}

/** Whether an act is about an account of the operator's own. @throws Refused, as looking the subject up does */
async function isOwnAccount(
	about: About,
	asked: AboutAccounts,
	options: OperatorOptions,
	operator: string,
): Promise<boolean> {
	const { staffAccounts } = options.funds;
	const accounts = [...(await accountsOf(about, asked.input, options)), ...(await asked.accounts(options))];
	return accounts.some((account) => staffAccounts.isOwn(account, operator));
}

/**
 * A member who is a player decides about no account of that person, alone or with another member.
 * @param actor as the journal names the operator
 * @throws Refused SAME_PERSON; the refusals of looking the subject up
 */
export async function checkNotOwn(
	{ about, looks }: Pick<Act, 'about' | 'looks'>,
	asked: AboutAccounts,
	options: OperatorOptions,
	actor: string,
): Promise<void> {
	if (!looks && (await isOwnAccount(about, asked, options, actor))) throw new Refused('SAME_PERSON');
}
