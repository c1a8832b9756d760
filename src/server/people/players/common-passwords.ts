/** Passwords that meet the form's rules and are still among the first guesses. */

/** Words that people extend with a digit and a sign. */
const COMMON_WORDS = new Set(
	(
		'pass password passwort passcode welcome letmein login admin administrator root user guest test testing demo ' +
		'qwerty qwertyuiop qwertz asdf asdfgh asdfghjkl zxcvbn zxcvbnm qazwsx qazwsxedc abc abcd abcde abcdef abcdefgh ' +
		'iloveyou love lovely sunshine princess monkey dragon football cricket tennis kabaddi master shadow superman ' +
		'batman secret changeme default hello india bharat mumbai delhi krishna ganesh sairam omsairam jaihind sachin ' +
		'tendulkar dhoni kohli virat rohit lucky money casino exchange bet betting backlay summer winter monsoon ' +
		'diwali january monday friday google facebook instagram whatsapp samsung nokia computer internet'
	).split(' '),
);

/** Signs that stand for letters: P@ssw0rd is password. */
const LETTERS: Record<string, string> = {
	'@': 'a',
	'4': 'a',
	'3': 'e',
	'1': 'i',
	'0': 'o',
	$: 's',
	'5': 's',
	'7': 't',
};

const FEWEST_DIFFERENT_CHARACTERS = 4;

/** The password without digits and signs around it, and with those inside read as letters. */
function wordOf(password: string): string {
	const word = password.toLowerCase().replace(/^[^a-z]+|[^a-z]+$/g, '');
	return [...word]
		.map((sign) => LETTERS[sign] ?? sign)
		.join('')
		.replace(/[^a-z]/g, '');
}

/** Whether a password is one of the first guesses for this player. */
export function isCommonPassword(password: string, userName: string): boolean {
	const word = wordOf(password);
	return (
		COMMON_WORDS.has(word) ||
		(word !== '' && word === wordOf(userName)) ||
		new Set(password).size < FEWEST_DIFFERENT_CHARACTERS
	);
}
