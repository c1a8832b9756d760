/** Pictures of brands in the database. A brand's row is locked while its pictures change. */
import type pg from 'pg';
import { MOST_BRAND_PICTURES, PICTURE_KEPT_DAYS } from '#contract/brand-picture.ts';
import { Refused } from '#values/error-catalogue.ts';
import { DAY_MS } from '#values/time.ts';

interface StoredPicture {
	host: string;
	name: string;
	bytes: Uint8Array;
}

/**
 * Stores a picture, and makes room for it: pictures leave that neither the setting shows, nor any that was replaced in the
 * last thirty days, nor a pending scheduled change. The same picture is stored once.
 * @throws Refused PICTURES_FULL
 */
export async function storePicture(client: pg.PoolClient, { host, name, bytes }: StoredPicture): Promise<void> {
	const now = Date.now();
	const keptSince = now - PICTURE_KEPT_DAYS * DAY_MS;
	await client.query(
		`delete from brand_picture picture where host = $1 and at < $2
		   and not exists (select from brand where brand.host = $1 and position(picture.name in setting::text) > 0)
		   and not exists (select from brand_version former where former.host = $1 and replaced_at >= $2
		                     and position(picture.name in former.setting::text) > 0)
		   and not exists (select from brand_schedule waiting where waiting.host = $1 and state = 'WAITING'
		                     and position(picture.name in changes::text) > 0)`,
		[host, keptSince],
	);
	await client.query(
		`insert into brand_picture (host, name, bytes, at) values ($1, $2, $3, $4)
		 on conflict (host, name) do update set at = excluded.at`,
		[host, name, bytes, now],
	);
	const { rows } = await client.query<{ count: number }>(
		'select count(*)::int as count from brand_picture where host = $1',
		[host],
	);
	if ((rows[0]?.count ?? 0) > MOST_BRAND_PICTURES) throw new Refused('PICTURES_FULL');
}

/** Those of the names that the brand does not have. While its row is locked, those that it has stay. */
export async function missingPictures(
	db: Pick<pg.Pool, 'query'>,
	host: string,
	names: readonly string[],
): Promise<string[]> {
	if (names.length === 0) return [];
	const { rows } = await db.query<{ name: string }>(
		`select name from unnest($2::text[]) as wanted (name)
		 where not exists (select from brand_picture held where held.host = $1 and held.name = wanted.name)`,
		[host, names],
	);
	return rows.map(({ name }) => name);
}

/** @throws Refused VALIDATION_FAILED without one of the pictures */
export async function checkPictures(db: Pick<pg.Pool, 'query'>, host: string, names: readonly string[]): Promise<void> {
	const missing = await missingPictures(db, host, names);
	if (missing.length > 0) throw new Refused('VALIDATION_FAILED', {}, 'The brand has no such picture. Upload it again.');
}

/** Null for a name that the brand does not have. */
export async function findPicture(db: pg.Pool, host: string, name: string): Promise<Buffer | null> {
	const { rows } = await db.query<{ bytes: Buffer }>('select bytes from brand_picture where host = $1 and name = $2', [
		host,
		name,
	]);
	return rows[0]?.bytes ?? null;
}
