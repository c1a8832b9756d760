/**
 * Ends simulated fixtures that a server of another version left unfinished and this one cannot continue: a newer
 * version of a sport's model plays differently from the same seed. Settled markets stay settled; the rest is void by
 * each market's rule, and the log reports the number of affected bets.
 */
import { playNamed, type SimulationParts, SOURCE } from '#server/world/feeds/simulated/played-fixture.ts';
import { isUnfinished } from '#server/world/fixtures/fixtures.ts';
import { abandonFixture } from '#server/world/markets/abandon-fixture.ts';
import { SIMULATED_SPORTS } from '#sports/all-sports.ts';

export async function abandonUnknown(parts: SimulationParts): Promise<void> {
	const { fixtures, db, log } = parts;
	const left = fixtures
		.all()
		.filter((fixture) => fixture.source === SOURCE && isUnfinished(fixture))
		.filter(({ sourceRef }) => playNamed(sourceRef, SIMULATED_SPORTS) === null);
	for (const fixture of left) {
		// Players' bets: the wallets of the house and the crowd belong to no player.
		const { rows } = await db.query<{ bets: number }>(
			`select count(*)::int as bets from bet where ended_at is null and market_id = any($1)
			 and wallet_id in (select player_id from player)`,
			[fixtures.markets(fixture.id).map(({ id }) => id)],
		);
		await abandonFixture(parts, fixture);
		log.warn(
			{ eventId: fixture.id, title: fixture.title, play: fixture.sourceRef, bets: rows[0]?.bets ?? 0 },
			'this version cannot play a simulated fixture to its end: it is abandoned, and its open bets are void or decided by its markets’ rules',
		);
	}
}
