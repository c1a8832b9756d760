/** The rights of staff, as members change them at the same time. */
import { expect, it, onTestFinished } from 'vitest';
import { StaffDirectory } from '#server/people/staff/staff-directory.ts';
import { Journal } from '#server/platform/postgres/journal.ts';
import { freshDatabase } from '../support/database.ts';

const BY = { actor: 'test', address: null };

it('owners who remove one another, or their role, at the same time leave one owner', async () => {
	const { db, drop } = await freshDatabase();
	onTestFinished(drop);
	const journal = new Journal({ db, ledgerKey: 'a key for this test', epoch: 0 });
	const directory = new StaffDirectory({ db, journal });
	const add = (name: string) => directory.add({ name, passwordHash: 'none', roles: ['owner'], brands: null }, BY);
	const [asha, bala, chitra] = [await add('asha'), await add('bala'), await add('chitra')];
	const ended = await Promise.allSettled([
		directory.remove(asha.staffId, BY),
		directory.setRoles(bala.staffId, ['trader'], null, BY),
		directory.setRoles(chitra.staffId, ['owner'], ['localhost'], BY),
	]);
	expect(ended.map((one) => (one.status === 'rejected' ? one.reason.code : 'done'))).toEqual([
		'done',
		'done',
		'LAST_OWNER',
	]);
	const { rows } = await db.query<{ name: string }>(
		`select name from staff where removed_at is null and brands is null and 'owner' = any (roles)`,
	);
	expect(rows).toEqual([{ name: 'chitra' }]);
});
