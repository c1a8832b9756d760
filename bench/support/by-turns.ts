/** Two sides of a comparison, by turns. Each goes first every second time, so that a drift of the machine favours neither. */
export async function byTurns<Turn>(
	count: number,
	ours: () => Promise<Turn>,
	other: () => Promise<Turn>,
): Promise<{ ours: Turn[]; other: Turn[] }> {
	const turns = { ours: [] as Turn[], other: [] as Turn[] };
	for (let turn = 0; turn < count; turn++) {
		if (turn % 2 === 0) turns.ours.push(await ours());
		turns.other.push(await other());
		if (turn % 2 === 1) turns.ours.push(await ours());
	}
	return turns;
}

/** Each side is warmed up, and then they take turns. @param sides runs for N milliseconds */
export async function byTimedTurns<Turn>(
	{ turns, warmUpMs, turnMs }: { turns: number; warmUpMs: number; turnMs: number },
	ours: (forMs: number) => Promise<Turn>,
	other: (forMs: number) => Promise<Turn>,
): Promise<{ ours: Turn[]; other: Turn[] }> {
	await other(warmUpMs);
	await ours(warmUpMs);
	return await byTurns(
		turns,
		() => ours(turnMs),
		() => other(turnMs),
	);
}
