/** The words of the screen of notifications. */

export const PUSH_TEXTS = {
	title: 'Notifications',
	intro: 'They name no amounts, because a locked screen shows them to anyone.',
	browser: 'This browser',
	isOn: 'This browser is sent notifications until you log out here.',
	isOff: 'This browser is sent none.',
	turnOn: 'Turn on here',
	turnOff: 'Turn off here',
	unknown: 'This browser knows no notifications. Some know them once the site is on the home screen.',
	refused: 'The browser does not allow them. Its settings for this site decide.',
	choices: 'What you are told',
	kinds: {
		MATCHED: 'A bet is matched',
		SETTLED: 'A market of mine is settled',
		WITHDRAWAL_PAID: 'A withdrawal is paid',
		CASH_OUT: 'A cash-out target is reached',
		GOAL: 'A goal of a favourite match',
	},
	atNight: 'At night, too (22:00 to 8:00)',
};
