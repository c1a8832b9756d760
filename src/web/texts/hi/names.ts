import { type NameDictionary, namedBy } from '#web/texts/named.ts';

const RACES = [
	['Hurdle', 'हर्डल'],
	['Handicap Hurdle', 'हैंडिकैप हर्डल'],
	['Chase', 'चेज़'],
	['Handicap Chase', 'हैंडिकैप चेज़'],
	['Novices’ Chase', 'नए घोड़ों की चेज़'],
] as const;

const DICTIONARY: NameDictionary = {
	whole: {
		'Match Odds': 'मैच ऑड्स',
		Bookmaker: 'बुकमेकर',
		'To Win the Toss': 'टॉस कौन जीतेगा',
		'Completed Match': 'मैच पूरा होगा',
		'Tied Match': 'मैच टाई होगा',
		'Double Chance': 'डबल चांस',
		'Correct Score': 'सही स्कोर',
		'Asian Handicap': 'एशियन हैंडिकैप',
		'Level at the end': 'अंत में स्तर',
		'Total points': 'कुल अंक',
		'First half points': 'पहले हाफ़ के अंक',
		'Total points line': 'कुल अंकों की लाइन',
		'Points in the match': 'मैच में अंक',
		Win: 'जीत',
		'The Draw': 'ड्रॉ',
		Draw: 'ड्रॉ',
		Tie: 'टाई',
		Yes: 'हाँ',
		No: 'नहीं',
		Odd: 'विषम',
		Even: 'सम',
		Up: 'ऊपर',
		Down: 'नीचे',
		'Any other draw': 'कोई और ड्रॉ',
		'Jump racing': 'जंप रेसिंग',
		'Ten-minute rounds': 'दस मिनट के राउंड',
		Recorded: 'रिकॉर्डेड',
		'Northern Premier': 'नॉर्दर्न प्रीमियर',
		'Liga del Sol': 'लीगा देल सोल',
		Bundesring: 'बुंडेसरिंग',
		'Indian Coastal League': 'इंडियन कोस्टल लीग',
		'Nations Cup': 'नेशंस कप',
		'National Kabaddi League': 'नेशनल कबड्डी लीग',
		'Village Cup': 'विलेज कप',
		'Asian Kabaddi Series': 'एशियन कबड्डी सीरीज़',
		'International Twenty20': 'अंतरराष्ट्रीय ट्वेंटी20',
		'Indian City Twenty20': 'इंडियन सिटी ट्वेंटी20',
		'County Blast': 'काउंटी ब्लास्ट',
		'Women’s Super Twenty20': 'महिला सुपर ट्वेंटी20',
		'Who leads when the referee ends the match, added time included. Void if it is not played to its end.':
			'रेफ़री मैच ख़त्म करे तब कौन आगे है, अतिरिक्त समय समेत। मैच पूरा न खेला जाए तो रद्द।',
		'Goals of both sides in the match, added time included. Over is decided as soon as there are enough, and stands then even if the match is abandoned; otherwise an abandoned match is void.':
			'मैच में दोनों टीमों के गोल, अतिरिक्त समय समेत। पर्याप्त गोल होते ही “अधिक” तय हो जाता है, और मैच छूट जाए तब भी क़ायम रहता है; वरना छूटा हुआ मैच रद्द है।',
		'Two of the three ends of the match in one bet; two of the runners win. Void if the match is not played to its end.':
			'एक बेट में मैच के तीन में से दो नतीजे; दो विकल्प जीतते हैं। मैच पूरा न खेला जाए तो रद्द।',
		'The score when the referee ends the match. Scores with more than three goals of a side are three runners.':
			'रेफ़री मैच ख़त्म करे तब का स्कोर। किसी टीम के तीन से ज़्यादा गोल वाले स्कोर तीन विकल्पों में हैं।',
		'The match with a start for one side. A quarter line is two half stakes on the neighbouring half lines; a tie on a whole line returns its half.':
			'एक टीम को बढ़त देकर मैच। चौथाई लाइन में आधा-आधा दाँव पास की आधी लाइनों पर है; पूरी लाइन पर बराबरी हो तो उसका आधा लौटता है।',
		'Who wins the match. Void if it is not played to its end.': 'मैच कौन जीतता है। पूरा न खेला जाए तो रद्द।',
		'Who wins the set. Void if it is not played to its end.': 'सेट कौन जीतता है। पूरा न खेला जाए तो रद्द।',
		'Who has more points at the end of the match. Void if it is not played to its end.':
			'मैच के अंत में किसके ज़्यादा अंक हैं। पूरा न खेला जाए तो रद्द।',
		'Points of both sides in the match, all-outs and bonus points included. Void if it is not played to its end.':
			'मैच में दोनों टीमों के अंक, ऑल-आउट और बोनस अंक समेत। पूरा न खेला जाए तो रद्द।',
		'Points of both sides in the match. Buy a line and you win your stake when there are more points, sell it and you win your stake when there are fewer. Void if the match is not played to its end.':
			'मैच में दोनों टीमों के अंक। लाइन ख़रीदें तो ज़्यादा अंक होने पर दाँव जितना जीतते हैं, बेचें तो कम होने पर। मैच पूरा न खेला जाए तो रद्द।',
		'Points of that side in the match, all-outs and bonus points included. Void if it is not played to its end.':
			'मैच में उस टीम के अंक, ऑल-आउट और बोनस अंक समेत। पूरा न खेला जाए तो रद्द।',
		'Points of both sides in the first half. Void if the half is not played to its end.':
			'पहले हाफ़ में दोनों टीमों के अंक। हाफ़ पूरा न खेला जाए तो रद्द।',
		'Which horse passes the post first. Bets on a non-runner are void, and prices matched on the others are reduced by its factor. In a dead heat the stake is shared. Bets on a horse that falls lose.':
			'कौन-सा घोड़ा सबसे पहले पहुँचता है। न दौड़ने वाले घोड़े पर बेट रद्द हैं, और बाक़ियों पर मैच हुए भाव उसके हिस्से से घटते हैं। डेड हीट में दाँव बँटता है। गिरने वाले घोड़े पर बेट हारते हैं।',
		'One bet of two equal parts: the stake you name on the horse to win, and the same stake on it to be among the first three at a fifth of the odds. Betting ends at the off. Bets on a non-runner are void, and prices matched on the others are reduced by its factor to win. In a dead heat the part it is about is shared.':
			'दो बराबर हिस्सों का एक बेट: आपका दाँव घोड़े की जीत पर, और उतना ही दाँव पाँचवें हिस्से के ऑड्स पर उसके पहले तीन में आने पर। दौड़ शुरू होते ही बेटिंग बंद। न दौड़ने वाले घोड़े पर बेट रद्द हैं, और बाक़ियों पर जीत के भाव उसके हिस्से से घटते हैं। डेड हीट में वही हिस्सा बँटता है।',
		'Which horses are among the first three. Bets on a non-runner are void, and prices matched on the others are reduced by its factor. Horses that tie for the last place share it: a stake is paid in the proportion of places to horses. Bets on a horse that falls lose.':
			'कौन-से घोड़े पहले तीन में हैं। न दौड़ने वाले घोड़े पर बेट रद्द हैं, और बाक़ियों पर मैच हुए भाव उसके हिस्से से घटते हैं। आख़िरी जगह पर बराबर घोड़े उसे बाँटते हैं: दाँव जगहों और घोड़ों के अनुपात में चुकाया जाता है। गिरने वाले घोड़े पर बेट हारते हैं।',
		'Whether the level of the last tick is above that of the open. Equal counts as down.':
			'आख़िरी टिक का स्तर शुरुआत से ऊपर है या नहीं। बराबर को नीचे माना जाता है।',
		'The level of the last tick. YES wins when it is at the line or above. Void if the ticks stop before.':
			'आख़िरी टिक का स्तर। लाइन पर या ऊपर हो तो हाँ जीतता है। टिक पहले रुक जाएँ तो रद्द।',
		'Who wins the match. A tie is decided by the super over. The market turns in-play at the first ball; unmatched bets that are not kept lapse then. If the match is abandoned without a winner every bet is void.':
			'मैच कौन जीतता है। टाई का फ़ैसला सुपर ओवर से होता है। पहली गेंद पर मार्केट इन-प्ले होता है; जो अनमैच्ड बेट रखे नहीं गए वे तब लैप्स होते हैं। विजेता के बिना मैच छूट जाए तो सभी बेट रद्द।',
		'Who wins the match, at the house’s rates per 100. A bet is taken whole at the rate shown or better, or not at all; betting rests while a ball is bowled. Void without a winner.':
			'मैच कौन जीतता है, हाउस के प्रति 100 के रेट पर। बेट दिखाए रेट या बेहतर पर पूरा लिया जाता है, या बिल्कुल नहीं; गेंद फेंकी जाते समय बेटिंग रुकती है। विजेता के बिना रद्द।',
		'Which side wins the toss. It stands whatever becomes of the match, and is void if no coin is tossed.':
			'कौन-सी टीम टॉस जीतती है। मैच का कुछ भी हो यह क़ायम रहता है; सिक्का न उछले तो रद्द।',
		'Whether the match is played to a result, a tie included. An abandoned match is a No; one without a ball bowled is void.':
			'मैच नतीजे तक खेला जाता है या नहीं, टाई समेत। छूटा हुआ मैच “नहीं” है; एक भी गेंद न फेंकी जाए तो रद्द।',
		'Whether both sides make as many runs, before any super over. Void if the match is abandoned.':
			'सुपर ओवर से पहले दोनों टीमें बराबर रन बनाती हैं या नहीं। मैच छूट जाए तो रद्द।',
		'Runs after six overs of the innings. YES wins when the line is reached. An innings that is all out or over before counts as it stands; if rain ends it before every bet is void.':
			'पारी के छह ओवर के बाद के रन। लाइन पहुँचे तो हाँ जीतता है। पारी पहले ऑल आउट या ख़त्म हो जाए तो जैसी है वैसी गिनी जाती है; बारिश पहले ख़त्म कर दे तो सभी बेट रद्द।',
		'Runs in that over. If the innings ends in it, it counts as it stands; if it is not begun, or rain ends it, every bet is void.':
			'उस ओवर के रन। पारी उसी में ख़त्म हो तो जैसा है वैसा गिना जाता है; ओवर शुरू न हो या बारिश ख़त्म कर दे तो सभी बेट रद्द।',
		'Runs the batsman makes. A batsman who runs out of overs or retires keeps the runs made. If rain ends the innings while he bats every bet is void.':
			'बल्लेबाज़ के रन। ओवर ख़त्म हो जाएँ या वह रिटायर हो तो बने रन क़ायम रहते हैं। उसकी बल्लेबाज़ी के दौरान बारिश पारी ख़त्म कर दे तो सभी बेट रद्द।',
		'The score at which the wicket falls. If it does not fall every bet is void.':
			'जिस स्कोर पर विकेट गिरता है। न गिरे तो सभी बेट रद्द।',
		'Fours and sixes of the innings. If rain ends the innings every bet is void.':
			'पारी के चौके और छक्के। बारिश पारी ख़त्म कर दे तो सभी बेट रद्द।',
		'Whether the innings’ total is odd or even. Nought is even. If rain ends the innings every bet is void.':
			'पारी का कुल स्कोर विषम है या सम। शून्य सम है। बारिश पारी ख़त्म कर दे तो सभी बेट रद्द।',
	},
	patterns: [
		[/^Over\/Under ([\d.]+) Goals$/, '$1 गोल से अधिक/कम'],
		[/^Over ([\d.]+) Goals$/, '$1 गोल से अधिक'],
		[/^Under ([\d.]+) Goals$/, '$1 गोल से कम'],
		[/^Over\/Under ([\d.]+) (?:Points|points)$/, '$1 अंक से अधिक/कम'],
		[/^Over ([\d.]+) (?:Points|points)$/, '$1 अंक से अधिक'],
		[/^Under ([\d.]+) (?:Points|points)$/, '$1 अंक से कम'],
		[/^(.+) or the draw$/, '$1 या ड्रॉ'],
		[/^Any other (.+) win$/, '$1 की कोई और जीत'],
		[/^Set (\d+) Winner$/, 'सेट $1 का विजेता'],
		[/^To be placed \((\d+) places\)$/, 'पहले $1 में'],
		[/^Each way \((1\/\d+) odds, (\d+) places\)$/, 'ईच वे ($1 ऑड्स, पहले $2)'],
		[/^(.+) 6 over runs$/, '$1 के 6 ओवर के रन'],
		[/^(.+) runs \((.+)\)$/, '$1 के रन ($2)'],
		[/^(.+) boundaries$/, '$1 की बाउंड्री'],
		[/^(.+) total odd or even$/, '$1 का कुल विषम या सम'],
		[/^Runs in over (\d+) · (.+)$/, 'ओवर $1 के रन · $2'],
		[/^Fall of (\d+)(?:st|nd|rd|th) wicket · (.+)$/, 'विकेट $1 का गिरना · $2'],
		...RACES.flatMap(([kind, words]): [RegExp, string][] => [
			[new RegExp(`^(\\d+)m(\\d+)f ${kind}$`), `$1 मील $2 फ़र्लांग ${words}`],
			[new RegExp(`^(\\d+)m ${kind}$`), `$1 मील ${words}`],
		]),
		[/^(.+) points$/, '$1 के अंक'],
		[/^(.+), round (\d+)$/, '$1, राउंड $2'],
		[/^(.+), women$/, '$1, महिला'],
		[/^(.+), men$/, '$1, पुरुष'],
	],
};

export const NAMED = namedBy(DICTIONARY);
