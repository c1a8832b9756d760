"""Runs a strategy of flumine at the server that tools/clients.ts names: it follows a market and its orders, places, updates, replaces and cancels."""
import json
import os
import threading
import time

import stand_ins  # noqa: F401
import betfairlightweight
from betfairlightweight.filters import streaming_market_data_filter, streaming_market_filter
from betfairlightweight.streaming.betfairstream import BetfairStream
from flumine import BaseStrategy, Flumine, clients
from flumine.order.order import OrderStatus
from flumine.order.ordertype import LimitOnCloseOrder, LimitOrder, MarketOnCloseOrder
from flumine.order.trade import Trade

URL = os.environ['LAB_URL']
BetfairStream._BetfairStream__port = int(os.environ['LAB_STREAM_PORT'])
BetfairStream.HOSTS = dict.fromkeys([None, 'integration', 'sports_data'], 'localhost')

trading = betfairlightweight.APIClient(os.environ['LAB_USER'], os.environ['LAB_PASSWORD'], app_key=os.environ['LAB_APP_KEY'])
trading.identity_uri = trading.identity_cert_uri = f'{URL}/api/'
trading.api_uri = f'{URL}/exchange/'
trading.login_interactive()
market_id = os.environ['LAB_MARKET']

said = set()
done = threading.Event()


def say(operation, error=None):
    if operation not in said:
        said.add(operation)
        print(json.dumps({'operation': operation, 'error': error}), flush=True)


class Trader(BaseStrategy):
    def __init__(self, *arguments, **named):
        super().__init__(*arguments, **named)
        self.order = None
        self.on_close = {}
        self.steps = ['update', 'replace', 'cancel']

    def check_market_book(self, market, market_book):
        say('marketSubscription')
        if market.market_catalogue is None:
            return False
        say('listMarketCatalogue')
        return market_book.status == 'OPEN'

    def process_market_book(self, market, market_book):
        if self.order is None:
            runner = market_book.runners[0]
            trade = Trade(market.market_id, runner.selection_id, runner.handicap, self)
            self.order = trade.create_order('BACK', LimitOrder(900, 20, 'LAPSE'))
            market.place_order(self.order)
            on_close = {'MARKET_ON_CLOSE': MarketOnCloseOrder(30), 'LIMIT_ON_CLOSE': LimitOnCloseOrder(30, 2)}
            for name, asked in on_close.items():
                trade = Trade(market.market_id, runner.selection_id, runner.handicap, self)
                order = trade.create_order('BACK', asked)
                self.on_close[order.id] = f'placeOrders {name}'
                market.place_order(order)

    def process_orders(self, market, orders):
        for order in orders:
            if order.id in self.on_close:
                if order.current_order and order.status == OrderStatus.EXECUTABLE:
                    say(self.on_close[order.id])
            elif order.current_order and order.status == OrderStatus.EXECUTABLE:
                say('placeOrders')
                say('orderSubscription')
                step = self.steps.pop(0) if self.steps else None
                if step == 'update':
                    market.update_order(order, 'PERSIST')
                elif step == 'replace':
                    say('updateOrders')
                    market.replace_order(order, 910)
                elif step == 'cancel':
                    say('replaceOrders')
                    market.cancel_order(order)
            elif order.status == OrderStatus.EXECUTION_COMPLETE and order.size_cancelled and not self.steps:
                say('cancelOrders')
                done.set()


framework = Flumine(client=clients.BetfairClient(trading, interactive_login=True, min_bet_validation=False))
framework.add_strategy(
    Trader(
        market_filter=streaming_market_filter(market_ids=[market_id]),
        market_data_filter=streaming_market_data_filter(fields=['EX_BEST_OFFERS', 'EX_MARKET_DEF'], ladder_levels=3),
        max_order_exposure=1_000_000,
        max_selection_exposure=1_000_000,
        max_live_trade_count=5,
        max_trade_count=5,
    )
)
threading.Thread(target=framework.run, daemon=True).start()
is_done = done.wait(45)
for operation in ('marketSubscription', 'listMarketCatalogue', 'placeOrders', 'orderSubscription', 'updateOrders', 'replaceOrders', 'cancelOrders'):
    say(operation, None if is_done else 'nothing came of it')
for operation in ('placeOrders MARKET_ON_CLOSE', 'placeOrders LIMIT_ON_CLOSE'):
    say(operation, 'nothing came of it')
if framework.clients.get_default().account_funds:
    say('login')
    say('getAccountDetails')
    say('getAccountFunds')
os._exit(0)
