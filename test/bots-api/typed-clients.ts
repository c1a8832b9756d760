/**
 * What clients with typed constructors take, above all the most used one in Python: an object that lacks a field they
 * need, or has one that they do not know, ends them.
 */

/** The fields of an object. */
interface Fields {
	needs: string;
	/** Besides those that it needs. Left out: whatever else there is is ignored. */
	takes?: string;
	inside?: Readonly<Record<string, Fields>>;
}

const words = (text: string | undefined): string[] => (text ? text.split(/\s+/) : []);

/** What of a value ends such a client. Arrays are of the same objects. */
export function faultsOf(value: unknown, fields: Fields, path = ''): string[] {
	if (Array.isArray(value)) return [...new Set(value.flatMap((item) => faultsOf(item, fields, `${path}[]`)))];
	if (typeof value !== 'object' || value === null) return [`${path} is no object`];
	const { needs, takes, inside = {} } = fields;
	const object = value as Record<string, unknown>;
	const missing = words(needs).filter((name) => !(name in object));
	const known = new Set([...words(needs), ...words(takes), ...Object.keys(inside)]);
	const unknown = takes === undefined ? [] : Object.keys(object).filter((name) => !known.has(name));
	return [
		...missing.map((name) => `${path}.${name} is missing`),
		...unknown.map((name) => `${path}.${name} is unknown`),
		...Object.entries(inside).flatMap(([name, within]) =>
			object[name] == null ? [] : faultsOf(object[name], within, `${path}.${name}`),
		),
	];
}

const NAMED: Fields = { needs: 'id name', takes: '' };
const LEVEL: Fields = { needs: 'price size', takes: '' };
const LADDER: Fields = { needs: 'type', takes: '' };
const INSTRUCTION: Fields = {
	needs: 'selectionId side orderType',
	takes: 'handicap customerOrderRef limitOnCloseOrder marketOnCloseOrder',
	inside: {
		limitOrder: { needs: 'price', takes: 'size persistenceType timeInForce minFillSize betTargetType betTargetSize' },
	},
};
const EVENT: Fields = { needs: 'id openDate timezone name', takes: 'countryCode venue' };
const PLACED: Fields = {
	needs: 'status',
	takes: 'orderStatus betId averagePriceMatched sizeMatched placedDate errorCode',
	inside: { instruction: INSTRUCTION },
};
const CANCELLED: Fields = {
	needs: 'status instruction',
	takes: 'sizeCancelled cancelledDate errorCode',
	inside: { instruction: { needs: 'betId', takes: 'sizeReduction' } },
};
const RUNNER_BOOK: Fields = {
	needs: 'selectionId status handicap',
	takes: 'adjustmentFactor lastPriceTraded totalMatched removalDate matchesByStrategy',
	inside: {
		ex: {
			needs: 'availableToBack availableToLay tradedVolume',
			takes: '',
			inside: { availableToBack: LEVEL, availableToLay: LEVEL, tradedVolume: LEVEL },
		},
		sp: { needs: 'backStakeTaken layLiabilityTaken', takes: 'nearPrice farPrice actualSP' },
		orders: {
			needs:
				'betId avgPriceMatched bspLiability orderType persistenceType price side sizeCancelled sizeLapsed sizeMatched sizeRemaining sizeVoided status size',
			takes: 'customerStrategyRef customerOrderRef placedDate',
		},
		matches: { needs: 'price side size', takes: 'betId matchId matchDate' },
	},
};
const BOOK: Fields = { needs: 'marketId runners', inside: { runners: RUNNER_BOOK, priceLadderDefinition: LADDER } };
const reports = (of: Fields): Fields => ({
	needs: 'status marketId instructionReports',
	inside: { instructionReports: of },
});

/** Answers of operations. */
export const ANSWERS: Readonly<Record<string, Fields>> = {
	listEventTypes: { needs: 'marketCount eventType', inside: { eventType: NAMED } },
	listCompetitions: { needs: 'marketCount competition competitionRegion', inside: { competition: NAMED } },
	listTimeRanges: { needs: 'marketCount timeRange', inside: { timeRange: { needs: 'from to' } } },
	listEvents: { needs: 'marketCount event', inside: { event: EVENT } },
	listMarketTypes: { needs: 'marketCount marketType' },
	listMarketCatalogue: {
		needs: 'marketId marketName totalMatched',
		inside: {
			competition: NAMED,
			eventType: NAMED,
			event: EVENT,
			description: {
				needs: 'bettingType bspMarket marketTime suspendTime turnInPlayEnabled',
				takes:
					'wallet marketType discountAllowed marketBaseRate persistenceEnabled regulator rules rulesHasDate eachWayDivisor clarifications keyLineDefinition raceType',
				inside: {
					priceLadderDescription: LADDER,
					lineRangeInfo: { needs: 'marketUnit interval minUnitValue maxUnitValue', takes: '' },
				},
			},
			runners: { needs: 'selectionId runnerName sortPriority handicap' },
		},
	},
	listMarketBook: BOOK,
	listRunnerBook: BOOK,
	placeOrders: reports(PLACED),
	cancelOrders: reports(CANCELLED),
	updateOrders: reports({
		needs: 'status instruction',
		takes: 'errorCode',
		inside: { instruction: { needs: 'betId newPersistenceType', takes: '' } },
	}),
	replaceOrders: reports({
		needs: 'status cancelInstructionReport placeInstructionReport',
		takes: 'errorCode',
		inside: { cancelInstructionReport: CANCELLED, placeInstructionReport: PLACED },
	}),
	listCurrentOrders: {
		needs: 'moreAvailable currentOrders',
		inside: {
			currentOrders: {
				needs:
					'betId averagePriceMatched bspLiability handicap marketId orderType persistenceType placedDate regulatorCode selectionId side sizeCancelled sizeLapsed sizeMatched sizeRemaining sizeVoided status priceSize',
				takes:
					'matchedDate customerStrategyRef customerOrderRef regulatorAuthCode lapsedDate lapseStatusReasonCode cancelledDate',
				inside: { priceSize: LEVEL },
			},
		},
	},
	listClearedOrders: {
		needs: 'moreAvailable clearedOrders',
		inside: {
			clearedOrders: {
				needs: 'betId marketId selectionId side betOutcome profit priceMatched sizeSettled placedDate settledDate',
				inside: {
					itemDescription: {
						needs: '',
						takes:
							'eventDesc eventTypeDesc marketDesc marketStartTime marketType numberOfWinners runnerDesc eachWayDivisor',
					},
				},
			},
		},
	},
	listMarketProfitAndLoss: {
		needs: 'marketId profitAndLosses',
		inside: { profitAndLosses: { needs: 'selectionId', takes: 'ifWin ifLose ifPlace' } },
	},
};

/** Messages of the stream. */
export const MESSAGES: Readonly<Record<'mcm' | 'ocm', Fields>> = {
	mcm: {
		needs: 'op id clk pt mc',
		inside: {
			mc: {
				needs: 'id',
				inside: {
					marketDefinition: {
						needs:
							'betDelay bettingType bspMarket bspReconciled complete crossMatching discountAllowed eventId eventTypeId inPlay marketBaseRate marketTime numberOfActiveRunners numberOfWinners persistenceEnabled regulators runnersVoidable status timezone turnInPlayEnabled version runners',
						takes:
							'openDate countryCode eachWayDivisor venue settledTime suspendTime marketType lineMaxUnit lineMinUnit lineInterval name eventName keyLineDefinition raceType',
						inside: {
							priceLadderDefinition: LADDER,
							runners: { needs: 'id sortPriority status', takes: 'hc bsp adjustmentFactor removalDate name' },
						},
					},
					rc: { needs: 'id', takes: 'ltp tv trd atb batb bdatb atl batl bdatl spn spf spb spl hc' },
				},
			},
		},
	},
	ocm: {
		needs: 'op id clk pt oc',
		inside: {
			oc: {
				needs: 'id',
				inside: {
					orc: {
						needs: 'id',
						takes: 'fullImage ml mb hc smc',
						inside: { uo: { needs: 'id p s side status ot pd sm sr sl sc sv rfo rfs' } },
					},
				},
			},
		},
	},
};
