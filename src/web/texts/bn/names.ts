import { type NameDictionary, namedBy } from '#web/texts/named.ts';

const RACES = [
	['Hurdle', 'হার্ডল'],
	['Handicap Hurdle', 'হ্যান্ডিক্যাপ হার্ডল'],
	['Chase', 'চেজ'],
	['Handicap Chase', 'হ্যান্ডিক্যাপ চেজ'],
	['Novices’ Chase', 'নতুন ঘোড়ার চেজ'],
] as const;

const DICTIONARY: NameDictionary = {
	whole: {
		'Match Odds': 'ম্যাচ অডস',
		Bookmaker: 'বুকমেকার',
		'To Win the Toss': 'টস কে জিতবে',
		'Completed Match': 'ম্যাচ সম্পূর্ণ হবে',
		'Tied Match': 'ম্যাচ টাই হবে',
		'Double Chance': 'ডাবল চান্স',
		'Correct Score': 'সঠিক স্কোর',
		'Asian Handicap': 'এশিয়ান হ্যান্ডিক্যাপ',
		'Level at the end': 'শেষের স্তর',
		'Total points': 'মোট পয়েন্ট',
		'First half points': 'প্রথমার্ধের পয়েন্ট',
		'Total points line': 'মোট পয়েন্টের লাইন',
		'Points in the match': 'ম্যাচে পয়েন্ট',
		Win: 'জয়',
		'The Draw': 'ড্র',
		Draw: 'ড্র',
		Tie: 'টাই',
		Yes: 'হ্যাঁ',
		No: 'না',
		Odd: 'বিজোড়',
		Even: 'জোড়',
		Up: 'উপরে',
		Down: 'নিচে',
		'Any other draw': 'অন্য যেকোনো ড্র',
		'Jump racing': 'জাম্প রেসিং',
		'Ten-minute rounds': 'দশ মিনিটের রাউন্ড',
		Recorded: 'রেকর্ড করা',
		'Northern Premier': 'নর্দার্ন প্রিমিয়ার',
		'Liga del Sol': 'লিগা দেল সোল',
		Bundesring: 'বুন্ডেসরিং',
		'Indian Coastal League': 'ইন্ডিয়ান কোস্টাল লিগ',
		'Nations Cup': 'নেশনস কাপ',
		'National Kabaddi League': 'ন্যাশনাল কাবাডি লিগ',
		'Village Cup': 'ভিলেজ কাপ',
		'Asian Kabaddi Series': 'এশিয়ান কাবাডি সিরিজ',
		'International Twenty20': 'আন্তর্জাতিক টোয়েন্টি20',
		'Indian City Twenty20': 'ইন্ডিয়ান সিটি টোয়েন্টি20',
		'County Blast': 'কাউন্টি ব্লাস্ট',
		'Women’s Super Twenty20': 'মহিলা সুপার টোয়েন্টি20',
		'Full time': 'ম্যাচ শেষ',
		'Half time': 'হাফ টাইম',
		'Second half': 'দ্বিতীয়ার্ধ',
		'Kick-off to come': 'কিক-অফ বাকি',
		'No incidents yet': 'এখনও বিশেষ কিছু হয়নি',
		'Set over': 'সেট শেষ',
		'Tie-break': 'টাই-ব্রেক',
		Deuce: 'ডিউস',
		Abandoned: 'পরিত্যক্ত',
		'Abandoned: rain': 'পরিত্যক্ত: বৃষ্টি',
		'Toss to come': 'টস বাকি',
		'Innings over': 'ইনিংস শেষ',
		'Has not begun': 'শুরু হয়নি',
		'The level counts': 'স্তর গণ্য হয়েছে',
		'Before the off': 'দৌড়ের আগে',
		Parade: 'প্যারেড',
		Good: 'ভালো',
		'Good to soft': 'ভালো থেকে নরম',
		Soft: 'নরম',
		points: 'পয়েন্ট',
		'₹ a barrel': '₹ প্রতি ব্যারেল',
		'₹ a quintal': '₹ প্রতি কুইন্টাল',
		'₹ for 10 grams': '₹ প্রতি 10 গ্রাম',
		'Play money every day': 'প্রতিদিন প্লে মানি',
		'A demo account starts with ₹20,000 of play money, as often as you like.':
			'ডেমো অ্যাকাউন্ট ₹20,000 প্লে মানি দিয়ে শুরু হয়, যতবার আপনি চান।',
		'Welcome bonus': 'ওয়েলকাম বোনাস',
		'For every new player, once. Play money.': 'প্রতিটি নতুন খেলোয়াড়ের জন্য, একবার। প্লে মানি।',
		'First deposit doubled': 'প্রথম ডিপোজিট দ্বিগুণ',
		'As much again as your first deposit, up to ₹5,000. Play money.':
			'আপনার প্রথম ডিপোজিটের সমান আরও, ₹5,000 পর্যন্ত। প্লে মানি।',
		'₹20,000 to begin with': 'শুরু করার জন্য ₹20,000',
		'Every demo account starts with play money that costs nothing.': 'প্রতিটি ডেমো অ্যাকাউন্ট বিনামূল্যের প্লে মানি দিয়ে শুরু হয়।',
		'Both sides are yours': 'দুই পক্ষই আপনার',
		'Back what you believe in, lay what you do not.': 'যাতে ভরসা আছে তাতে ব্যাক করুন, যাতে নেই তাতে লে করুন।',
		'Back and lay at prices players set themselves.': 'খেলোয়াড়দের নিজেদের ঠিক করা দামে ব্যাক ও লে।',
		'Who leads when the referee ends the match, added time included. Void if it is not played to its end.':
			'রেফারি ম্যাচ শেষ করার সময় কে এগিয়ে, অতিরিক্ত সময় সমেত। ম্যাচ শেষ পর্যন্ত খেলা না হলে বাতিল।',
		'Goals of both sides in the match, added time included. Over is decided as soon as there are enough, and stands then even if the match is abandoned; otherwise an abandoned match is void.':
			'ম্যাচে দুই দলের গোল, অতিরিক্ত সময় সমেত। যথেষ্ট গোল হলেই “বেশি” স্থির হয়, আর ম্যাচ পরিত্যক্ত হলেও তা বহাল থাকে; নইলে পরিত্যক্ত ম্যাচ বাতিল।',
		'Two of the three ends of the match in one bet; two of the runners win. Void if the match is not played to its end.':
			'এক বাজিতে ম্যাচের তিনটির মধ্যে দুটি ফল; দুটি রানার জেতে। ম্যাচ শেষ পর্যন্ত খেলা না হলে বাতিল।',
		'The score when the referee ends the match. Scores with more than three goals of a side are three runners.':
			'রেফারি ম্যাচ শেষ করার সময়ের স্কোর। কোনো দলের তিনটির বেশি গোলের স্কোরগুলি তিনটি রানারে থাকে।',
		'The match with a start for one side. A quarter line is two half stakes on the neighbouring half lines; a tie on a whole line returns its half.':
			'এক দলকে এগিয়ে রেখে ম্যাচ। সিকি লাইনে স্টেক দুই ভাগে পাশের দুটি লাইনে যায়; পূর্ণ লাইনে সমান হলে তার অর্ধেক ফেরত আসে।',
		'Who wins the match. Void if it is not played to its end.': 'ম্যাচ কে জেতে। শেষ পর্যন্ত খেলা না হলে বাতিল।',
		'Who wins the set. Void if it is not played to its end.': 'সেট কে জেতে। শেষ পর্যন্ত খেলা না হলে বাতিল।',
		'Who has more points at the end of the match. Void if it is not played to its end.':
			'ম্যাচের শেষে কার পয়েন্ট বেশি। শেষ পর্যন্ত খেলা না হলে বাতিল।',
		'Points of both sides in the match, all-outs and bonus points included. Void if it is not played to its end.':
			'ম্যাচে দুই দলের পয়েন্ট, অল-আউট ও বোনাস পয়েন্ট সমেত। শেষ পর্যন্ত খেলা না হলে বাতিল।',
		'Points of both sides in the match. Buy a line and you win your stake when there are more points, sell it and you win your stake when there are fewer. Void if the match is not played to its end.':
			'ম্যাচে দুই দলের পয়েন্ট। লাইন কিনলে পয়েন্ট বেশি হলে স্টেকের সমান জেতেন, বেচলে কম হলে। ম্যাচ শেষ পর্যন্ত খেলা না হলে বাতিল।',
		'Points of that side in the match, all-outs and bonus points included. Void if it is not played to its end.':
			'ম্যাচে ওই দলের পয়েন্ট, অল-আউট ও বোনাস পয়েন্ট সমেত। শেষ পর্যন্ত খেলা না হলে বাতিল।',
		'Points of both sides in the first half. Void if the half is not played to its end.':
			'প্রথমার্ধে দুই দলের পয়েন্ট। অর্ধটি শেষ পর্যন্ত খেলা না হলে বাতিল।',
		'Which horse passes the post first. Bets on a non-runner are void, and prices matched on the others are reduced by its factor. In a dead heat the stake is shared. Bets on a horse that falls lose.':
			'কোন ঘোড়া আগে পৌঁছায়। যে ঘোড়া দৌড়ায় না তার উপর বাজি বাতিল, আর অন্যদের উপর ম্যাচ হওয়া দাম তার ফ্যাক্টর অনুযায়ী কমে। ডেড হিটে স্টেক ভাগ হয়। পড়ে যাওয়া ঘোড়ার উপর বাজি হারে।',
		'One bet of two equal parts: the stake you name on the horse to win, and the same stake on it to be among the first three at a fifth of the odds. Betting ends at the off. Bets on a non-runner are void, and prices matched on the others are reduced by its factor to win. In a dead heat the part it is about is shared.':
			'দুটি সমান অংশের একটি বাজি: আপনার স্টেক ঘোড়ার জয়ের উপর, আর ততটাই স্টেক অডসের পাঁচ ভাগের এক ভাগে তার প্রথম তিনে থাকার উপর। দৌড় শুরু হলেই বাজি বন্ধ। যে ঘোড়া দৌড়ায় না তার উপর বাজি বাতিল, আর অন্যদের জয়ের দাম তার ফ্যাক্টর অনুযায়ী কমে। ডেড হিটে সংশ্লিষ্ট অংশটিই ভাগ হয়।',
		'Which horses are among the first three. Bets on a non-runner are void, and prices matched on the others are reduced by its factor. Horses that tie for the last place share it: a stake is paid in the proportion of places to horses. Bets on a horse that falls lose.':
			'কোন ঘোড়াগুলি প্রথম তিনে থাকে। যে ঘোড়া দৌড়ায় না তার উপর বাজি বাতিল, আর অন্যদের উপর ম্যাচ হওয়া দাম তার ফ্যাক্টর অনুযায়ী কমে। শেষ জায়গায় সমান থাকা ঘোড়াগুলি তা ভাগ করে: স্টেক জায়গা ও ঘোড়ার অনুপাতে দেওয়া হয়। পড়ে যাওয়া ঘোড়ার উপর বাজি হারে।',
		'Whether the level of the last tick is above that of the open. Equal counts as down.':
			'শেষ টিকের স্তর শুরুর স্তরের উপরে কি না। সমান হলে নিচে ধরা হয়।',
		'The level of the last tick. YES wins when it is at the line or above. Void if the ticks stop before.':
			'শেষ টিকের স্তর। লাইনে বা তার উপরে হলে হ্যাঁ জেতে। টিক আগেই থেমে গেলে বাতিল।',
		'Who wins the match. A tie is decided by the super over. The market turns in-play at the first ball; unmatched bets that are not kept lapse then. If the match is abandoned without a winner every bet is void.':
			'ম্যাচ কে জেতে। টাই হলে সুপার ওভারে নিষ্পত্তি হয়। প্রথম বলে মার্কেট ইন-প্লে হয়; যে আনম্যাচড বাজি রাখা হয়নি, তা তখন ল্যাপস হয়। বিজয়ী ছাড়া ম্যাচ পরিত্যক্ত হলে সব বাজি বাতিল।',
		'Who wins the match, at the house’s rates per 100. A bet is taken whole at the rate shown or better, or not at all; betting rests while a ball is bowled. Void without a winner.':
			'ম্যাচ কে জেতে, হাউসের প্রতি 100-র রেটে। বাজি দেখানো রেটে বা তার চেয়ে ভালোতে পুরোটা নেওয়া হয়, নইলে একেবারেই নয়; বল করার সময় বাজি থেমে থাকে। বিজয়ী না থাকলে বাতিল।',
		'Which side wins the toss. It stands whatever becomes of the match, and is void if no coin is tossed.':
			'কোন দল টস জেতে। ম্যাচের যা-ই হোক এটি বহাল থাকে; টস না হলে বাতিল।',
		'Whether the match is played to a result, a tie included. An abandoned match is a No; one without a ball bowled is void.':
			'ম্যাচ ফল পর্যন্ত খেলা হয় কি না, টাই সমেত। পরিত্যক্ত ম্যাচ মানে “না”; একটি বলও না হলে বাতিল।',
		'Whether both sides make as many runs, before any super over. Void if the match is abandoned.':
			'সুপার ওভারের আগে দুই দল সমান রান করে কি না। ম্যাচ পরিত্যক্ত হলে বাতিল।',
		'Runs after six overs of the innings. YES wins when the line is reached. An innings that is all out or over before counts as it stands; if rain ends it before every bet is void.':
			'ইনিংসের ছয় ওভারের পরের রান। লাইনে পৌঁছালে হ্যাঁ জেতে। ইনিংস তার আগে অল আউট বা শেষ হলে যেমন আছে তেমনই গোনা হয়; বৃষ্টিতে আগে শেষ হলে সব বাজি বাতিল।',
		'Runs in that over. If the innings ends in it, it counts as it stands; if it is not begun, or rain ends it, every bet is void.':
			'ওই ওভারের রান। ইনিংস তাতেই শেষ হলে যেমন আছে তেমনই গোনা হয়; ওভার শুরু না হলে বা বৃষ্টিতে শেষ হলে সব বাজি বাতিল।',
		'Runs the batsman makes. A batsman who runs out of overs or retires keeps the runs made. If rain ends the innings while he bats every bet is void.':
			'ব্যাটসম্যানের রান। ওভার ফুরিয়ে গেলে বা তিনি অবসর নিলে করা রান বহাল থাকে। তাঁর ব্যাটিংয়ের সময় বৃষ্টিতে ইনিংস শেষ হলে সব বাজি বাতিল।',
		'The score at which the wicket falls. If it does not fall every bet is void.':
			'যে স্কোরে উইকেট পড়ে। না পড়লে সব বাজি বাতিল।',
		'Fours and sixes of the innings. If rain ends the innings every bet is void.':
			'ইনিংসের চার ও ছয়। বৃষ্টিতে ইনিংস শেষ হলে সব বাজি বাতিল।',
		'Whether the innings’ total is odd or even. Nought is even. If rain ends the innings every bet is void.':
			'ইনিংসের মোট রান বিজোড় না জোড়। শূন্য জোড়। বৃষ্টিতে ইনিংস শেষ হলে সব বাজি বাতিল।',
	},
	patterns: [
		[/^Over\/Under ([\d.]+) Goals$/, '$1 গোলের বেশি/কম'],
		[/^Over ([\d.]+) Goals$/, '$1 গোলের বেশি'],
		[/^Under ([\d.]+) Goals$/, '$1 গোলের কম'],
		[/^Over\/Under ([\d.]+) (?:Points|points)$/, '$1 পয়েন্টের বেশি/কম'],
		[/^Over ([\d.]+) (?:Points|points)$/, '$1 পয়েন্টের বেশি'],
		[/^Under ([\d.]+) (?:Points|points)$/, '$1 পয়েন্টের কম'],
		[/^(.+) \(full time\)$/, '$1 (ম্যাচ শেষ)'],
		[/^(.+) \(half time\)$/, '$1 (হাফ টাইম)'],
		[/^Goal, (.+)$/, 'গোল, $1'],
		[/^Yellow card, (.+)$/, 'হলুদ কার্ড, $1'],
		[/^Red card, (.+)$/, 'লাল কার্ড, $1'],
		[/^(.+) serves first$/, '$1 প্রথমে সার্ভ করবেন'],
		[/^(.+) serves$/, '$1 সার্ভ করছেন'],
		[/^(.+) won after a super over$/, '$1 সুপার ওভারে জয়ী'],
		[/^(.+) won the toss and bat$/, '$1 টস জিতেছে, ব্যাট করবে'],
		[/^(.+) won the toss and bowl$/, '$1 টস জিতেছে, বল করবে'],
		[/^(.+) won$/, '$1 জয়ী'],
		[/^Innings break: (.+) need (\d+)$/, 'ইনিংসের বিরতি: $1-এর $2 দরকার'],
		[/^(.+) need (\d+) from (\d+) balls$/, '$1-এর $3 বলে $2 দরকার'],
		[/^(.+) need (\d+) to win$/, '$1-এর জিততে $2 দরকার'],
		[/^(.+) need (\d+)$/, '$1-এর $2 দরকার'],
		[/^Run rate ([\d.]+)$/, 'রান রেট $1'],
		[/^(.+) off (\d+)\)$/, '$1, $2 বলে)'],
		[/^(.+) bat first$/, '$1 প্রথমে ব্যাট করবে'],
		[/^(.+) raid first$/, '$1 প্রথমে রেড করবে'],
		[/^(.+): empty raid$/, '$1: ফাঁকা রেড'],
		[/^(.+): (?:super )?raid, (\d+) points?$/, '$1: রেড, $2 পয়েন্ট'],
		[/^(.+): (?:super )?raid, (\d+) points?, all out$/, '$1: রেড, $2 পয়েন্ট, অল আউট'],
		[/^(.+): (?:tackled|super tackle), (\d+) points?$/, '$1: ট্যাকল, $2 পয়েন্ট'],
		[/^(.+): (?:tackled|super tackle), (\d+) points?, all out$/, '$1: ট্যাকল, $2 পয়েন্ট, অল আউট'],
		[/^(\d+) ticks? to go$/, '$1 টিক বাকি'],
		[/^([\d.]+), (\d+:\d\d) to go$/, '$1, $2 বাকি'],
		[/^(.+) leads, (\d+) m to go$/, '$1 এগিয়ে, $2 মি বাকি'],
		[/^Non-runner: (.+)$/, 'দৌড়াবে না: $1'],
		[/^(.+) and (.+) fell$/, '$1 ও $2 পড়ে গেছে'],
		[/^(.+) fell$/, '$1 পড়ে গেছে'],
		[/^(.+) or the draw$/, '$1 বা ড্র'],
		[/^(\p{Lu}.+) or (\p{Lu}.+)$/u, '$1 বা $2'],
		[/^Any other (.+) win$/, '$1-এর অন্য যেকোনো জয়'],
		[/^Set (\d+) Winner$/, 'সেট $1 বিজয়ী'],
		[/^To be placed \((\d+) places\)$/, 'প্রথম $1-এর মধ্যে'],
		[/^Each way \((1\/\d+) odds, (\d+) places\)$/, 'ইচ ওয়ে ($1 অডস, প্রথম $2)'],
		[/^(.+) 6 over runs$/, '$1, 6 ওভারের রান'],
		[/^(.+) runs \((.+)\)$/, '$1-এর রান ($2)'],
		[/^(.+) boundaries$/, '$1-এর বাউন্ডারি'],
		[/^(.+) total odd or even$/, '$1-এর মোট বিজোড় না জোড়'],
		[/^Runs in over (\d+) · (.+)$/, 'ওভার $1-এর রান · $2'],
		[/^Fall of (\d+)(?:st|nd|rd|th) wicket · (.+)$/, 'উইকেট $1-এর পতন · $2'],
		...RACES.flatMap(([kind, words]): [RegExp, string][] => [
			[new RegExp(`^(\\d+)m(\\d+)f ${kind}$`), `$1 মাইল $2 ফার্লং ${words}`],
			[new RegExp(`^(\\d+)m ${kind}$`), `$1 মাইল ${words}`],
		]),
		[/^(.+) points$/, '$1-এর পয়েন্ট'],
		[/^(.+), round (\d+)$/, '$1, রাউন্ড $2'],
		[/^(.+), women$/, '$1, মহিলা'],
		[/^(.+), men$/, '$1, পুরুষ'],
	],
};

export const NAMED = namedBy(DICTIONARY);
