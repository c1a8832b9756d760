"""Calls every operation that betfairlightweight has, at the server that tools/clients.ts names, and says of each whether the client could read its answer."""
import json
import os
import sys

import betfairlightweight
from betfairlightweight import StreamListener, filters
from betfairlightweight.streaming.betfairstream import BetfairStream

URL = os.environ['LAB_URL']

client = betfairlightweight.APIClient(os.environ['LAB_USER'], os.environ['LAB_PASSWORD'], app_key=os.environ['LAB_APP_KEY'])
client.identity_uri = client.identity_cert_uri = f'{URL}/api/'
client.api_uri = f'{URL}/exchange/'
client.navigation_uri = URL + '/exchange/betting/rest/v1/{locale}/navigation/menu.json'
type(client.in_play_service).url = f'{URL}/inplayservice/v1/'
type(client.race_card).login_url = f'{URL}/exchange/plus/'
type(client.race_card).url = f'{URL}/rest/v2/'
BetfairStream._BetfairStream__port = int(os.environ['LAB_STREAM_PORT'])
BetfairStream.HOSTS = dict.fromkeys([None, 'integration', 'sports_data'], 'localhost')


def say(operation, error=None):
    print(json.dumps({'operation': operation, 'error': error}), flush=True)


def attempt(operation, call):
    """The call's answer; None when the client could not make anything of it."""
    try:
        answer = call()
        say(operation)
        return answer
    except Exception as error:  # Whatever ends a client's call is the finding.
        say(operation, f'{type(error).__name__}: {error}'[:200])
        return None


attempt('login', client.login_interactive)
attempt('keepAlive', client.keep_alive)
betting, account = client.betting, client.account
only = {'marketTypeCodes': ['MATCH_ODDS'], 'inPlayOnly': False}
for operation, call in {
    'listEventTypes': betting.list_event_types,
    'listCompetitions': betting.list_competitions,
    'listTimeRanges': betting.list_time_ranges,
    'listEvents': betting.list_events,
    'listMarketTypes': betting.list_market_types,
    'listCountries': betting.list_countries,
    'listVenues': betting.list_venues,
}.items():
    attempt(operation, call)
projection = ['COMPETITION', 'EVENT', 'EVENT_TYPE', 'MARKET_START_TIME', 'MARKET_DESCRIPTION', 'RUNNER_METADATA']
markets = attempt(
    'listMarketCatalogue',
    lambda: betting.list_market_catalogue(filter=only, market_projection=projection, sort='LAST_TO_START', max_results=50),
)
# The market that the lab keeps moving; of recorded answers, whichever there is.
market = next((one for one in markets if one.market_id == os.environ['LAB_MARKET']), markets[0])
market_id, selection_id = market.market_id, market.runners[0].selection_id
prices = filters.price_projection(price_data=['EX_BEST_OFFERS', 'EX_TRADED'])
attempt('listMarketBook', lambda: betting.list_market_book([market_id], price_projection=prices, order_projection='ALL'))
attempt('listRunnerBook', lambda: betting.list_runner_book(market_id, selection_id, price_projection=prices))


def order(price):
    limit = filters.limit_order(size=20, price=price, persistence_type='LAPSE')
    return filters.place_instruction(order_type='LIMIT', selection_id=selection_id, side='BACK', limit_order=limit)


def bet_id(report):
    return report.place_instruction_reports[0].bet_id if report else '1'


placed = bet_id(attempt('placeOrders', lambda: betting.place_orders(market_id, [order(900)])))
persist = filters.update_instruction(placed, 'PERSIST')
attempt('updateOrders', lambda: betting.update_orders(market_id, [persist]))


def on_close(limit):
    if limit is None:
        asked = {'order_type': 'MARKET_ON_CLOSE', 'market_on_close_order': filters.market_on_close_order(liability=30)}
    else:
        order_on_close = filters.limit_on_close_order(liability=30, price=limit)
        asked = {'order_type': 'LIMIT_ON_CLOSE', 'limit_on_close_order': order_on_close}
    return filters.place_instruction(selection_id=selection_id, side='BACK', **asked)


def placed_on_close(limit):
    report = betting.place_orders(market_id, [on_close(limit)])
    if report.status != 'SUCCESS':
        raise ValueError(report.place_instruction_reports[0].error_code)


def starting_prices():
    wanted = filters.price_projection(price_data=['SP_AVAILABLE', 'SP_TRADED'])
    [book] = betting.list_market_book([market_id], price_projection=wanted)
    sp = book.runners[0].sp
    if not (sp.near_price and sp.far_price and sp.back_stake_taken and sp.lay_liability_taken):
        raise ValueError(f'no near or far price: {sp.near_price}, {sp.far_price}')


def orders_on_close():
    types = {order.order_type for order in betting.list_current_orders().orders if order.bsp_liability == 30}
    if types != {'MARKET_ON_CLOSE', 'LIMIT_ON_CLOSE'}:
        raise ValueError(f'the orders on close are {types}')


attempt('placeOrders MARKET_ON_CLOSE', lambda: placed_on_close(None))
attempt('placeOrders LIMIT_ON_CLOSE', lambda: placed_on_close(2))
to_the_start = filters.update_instruction(placed, 'MARKET_ON_CLOSE')
attempt('updateOrders MARKET_ON_CLOSE', lambda: betting.update_orders(market_id, [to_the_start]))
attempt('listMarketBook SP', starting_prices)
attempt('listCurrentOrders on close', orders_on_close)
attempt('listCurrentOrders', betting.list_current_orders)
replacement = filters.replace_instruction(placed, 910)
attempt('replaceOrders', lambda: betting.replace_orders(market_id, [replacement]))
attempt('listMarketProfitAndLoss', lambda: betting.list_market_profit_and_loss([market_id]))


class Listener(StreamListener):
    """Ends its stream with the image, once the client has made its objects of it."""

    def __init__(self):
        super().__init__(max_latency=None)
        self.has_image = False

    def on_data(self, raw_data):
        kept = super().on_data(raw_data)
        if '"ct":"SUB_IMAGE"' not in raw_data:
            return kept
        self.snap()
        self.has_image = True
        return False


def follow(operation, host, subscribe):
    listener = Listener()
    stream = client.streaming.create_stream(listener=listener, host=host, timeout=10)
    subscribe(stream)
    try:
        stream.start()
    except betfairlightweight.exceptions.ListenerError:
        if not listener.has_image:
            raise
    if not listener.has_image:
        raise TimeoutError(f'no image of {operation}')


attempt(
    'marketSubscription',
    lambda: follow(
        'markets',
        None,
        lambda stream: stream.subscribe_to_markets(
            filters.streaming_market_filter(market_ids=[market_id]),
            filters.streaming_market_data_filter(fields=['EX_BEST_OFFERS', 'EX_MARKET_DEF'], ladder_levels=3),
        ),
    ),
)
attempt(
    'marketSubscription SP',
    lambda: follow(
        'starting prices',
        None,
        lambda stream: stream.subscribe_to_markets(
            filters.streaming_market_filter(market_ids=[market_id], bsp_market=True),
            filters.streaming_market_data_filter(fields=['SP_PROJECTED', 'SP_TRADED', 'EX_MARKET_DEF']),
        ),
    ),
)
attempt('orderSubscription', lambda: follow('orders', None, lambda stream: stream.subscribe_to_orders()))
attempt('raceSubscription', lambda: follow('races', 'sports_data', lambda stream: stream.subscribe_to_races()))

attempt('cancelOrders', lambda: betting.cancel_orders(market_id))
attempt('listClearedOrders', lambda: betting.list_cleared_orders(bet_status='CANCELLED'))
attempt('getAccountFunds', account.get_account_funds)
attempt('getAccountDetails', account.get_account_details)
attempt('getAccountStatement', account.get_account_statement)
attempt('listCurrencyRates', account.list_currency_rates)
attempt('navigation', client.navigation.list_navigation)
scores = client.scores
attempt('listRaceDetails', scores.list_race_details)
attempt('listAvailableEvents', scores.list_available_events)
attempt('listScores', lambda: scores.list_scores(['1']))
attempt('listIncidents', lambda: scores.list_incidents(['1']))
attempt('inPlayService', lambda: client.in_play_service.get_scores([1]))


def race_card():
    client.race_card.login()
    client.race_card.get_race_card([market_id])


attempt('raceCard', race_card)
attempt('logout', client.logout)
sys.stdout.flush()
