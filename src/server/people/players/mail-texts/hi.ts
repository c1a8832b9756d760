/** What players read by mail, in Hindi. */
import type { MailTexts } from '#server/people/players/mail-texts/en.ts';

export const HI: MailTexts = {
	proveAddress: (site, { code, minutes }) => ({
		subject: `${code} आपका ${site} कोड है`,
		words: [
			`${code} से ${site} पर आपके खाते का यह ईमेल पता सत्यापित होता है। यह ${minutes} मिनट तक मान्य है। इसे किसी को न बताएँ।`,
			'यदि आपने यह नहीं माँगा था, तो कुछ न करें: यह पता इस्तेमाल नहीं होगा।',
		],
	}),
	addressTaken: (site) => ({
		subject: `यह पता ${site} पर पहले से इस्तेमाल में है`,
		words: [
			`किसी ने ${site} के एक खाते के लिए यह पता लिखा। यह पहले से आपके दूसरे खाते का पता है, इसलिए कोई कोड नहीं बना।`,
			'यदि यह आप नहीं थे, तो कुछ न करें।',
		],
	}),
	addressChanged: (site) => ({
		subject: `${site} पर आपका ईमेल पता बदल गया`,
		words: [
			`${site} पर आपके खाते का ईमेल पता अब दूसरा है। इस पते पर हम अब नहीं लिखेंगे।`,
			'यदि यह आप नहीं थे, तो तुरंत सहायता को लिखें।',
		],
	}),
	addressRemoved: (site) => ({
		subject: `${site} पर आपका ईमेल पता हटा दिया गया`,
		words: [`${site} पर आपके खाते में अब कोई ईमेल पता नहीं है।`, 'यदि यह आप नहीं थे, तो तुरंत सहायता को लिखें।'],
	}),
	passwordReset: (site, { code, minutes, userName }) => ({
		subject: `${code} ${site} पर नए पासवर्ड का कोड है`,
		words: [
			`${code} से आप ${site} पर ${userName} का नया पासवर्ड चुन सकते हैं। यह ${minutes} मिनट तक मान्य है। इसे किसी को न बताएँ।`,
			'यदि आपने यह नहीं माँगा था, तो कुछ न करें: आपका पासवर्ड वही रहेगा।',
		],
	}),
	passwordChanged: (site, { at }) => ({
		subject: `${site} पर आपका पासवर्ड बदल गया`,
		words: [`आपके खाते का पासवर्ड बदला गया: ${at}।`, 'यदि यह आप नहीं थे, तो तुरंत सहायता को लिखें।'],
	}),
	mobileProven: (site, { at }) => ({
		subject: `${site} पर आपके खाते का मोबाइल नंबर सत्यापित हुआ`,
		words: [
			`आपके खाते के लिए एक मोबाइल नंबर सत्यापित हुआ: ${at}। उस पर आने वाले कोड से नया पासवर्ड चुना जा सकता है।`,
			'यदि यह आप नहीं थे, तो तुरंत सहायता को लिखें।',
		],
	}),
	limitsChanged: (site, { at }) => ({
		subject: `${site} पर आपकी सीमाएँ बदल गईं`,
		words: [`आपके खाते की सीमाएँ बदली गईं: ${at}। आप उन्हें अपने खाते में देख सकते हैं।`],
	}),
	withdrawalPaid: (site, { amount, at }) => ({
		subject: `${site} से आपकी निकासी का भुगतान हो गया`,
		words: [`${amount} आपके बैंक खाते में भेज दिए गए: ${at}।`],
	}),
	statement: (site, { month, before, paidIn, paidOut, sports, casino, others, after }) => ({
		subject: `${site} पर ${month} का आपका विवरण`,
		words: [
			`आरंभ में शेष: ${before}`,
			`जमा: ${paidIn}`,
			`निकासी: ${paidOut}`,
			`दाँव: ${sports}`,
			`कैसीनो: ${casino}`,
			`बोनस, कर और सुधार: ${others}`,
			`अंत में शेष: ${after}`,
			'हर पंक्ति आपके खाते में विवरण के नीचे है।',
		],
	}),
	foot: (site) => `${site} यह इसलिए भेजता है क्योंकि आपके खाते में यह पता है। इसके उत्तर कोई नहीं पढ़ता।`,
};
