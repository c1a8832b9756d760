/** The score of a match of cricket after four balls. */
export const scoreCard = (eventId: string) => ({
	sport: 'cricket' as const,
	eventId,
	version: 1,
	state: 'IN_PLAY' as const,
	note: '',
	maxOvers: 20,
	currentInnings: 1,
	innings: [{ team: 'India', runs: 7, wickets: 1, overs: '0.4', target: null }],
	batters: [],
	bowler: null,
	recentBalls: [],
});
