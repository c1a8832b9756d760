"""A bot in Python, with the standard library alone: it logs in, finds a market, follows its book and its own orders over
the stream, places a bet, asks for another price, cancels, and reports.

    BOT_URL=http://localhost:3000 BOT_STREAM=localhost:3001 BOT_USER=… BOT_PASSWORD=… BOT_APP_KEY=… python3 tools/example-bot.py
"""
import json
import os
import socket
import urllib.parse
import urllib.request

URL = os.environ.get('BOT_URL', 'http://localhost:3000')
HOST, PORT = os.environ.get('BOT_STREAM', 'localhost:3001').split(':')
APP_KEY = os.environ['BOT_APP_KEY']


def post(path, body, headers):
    request = urllib.request.Request(URL + path, body.encode(), {'X-Application': APP_KEY, **headers})
    with urllib.request.urlopen(request, timeout=15) as answer:
        return json.load(answer)


form = urllib.parse.urlencode({'username': os.environ['BOT_USER'], 'password': os.environ['BOT_PASSWORD']})
SESSION = post('/api/login', form, {'Content-Type': 'application/x-www-form-urlencoded'})['token']


def call(operation, **params):
    message = {'jsonrpc': '2.0', 'method': f'SportsAPING/v1.0/{operation}', 'params': params, 'id': 1}
    headers = {'X-Authentication': SESSION, 'Content-Type': 'application/json'}
    answer = post('/exchange/betting/json-rpc/v1', json.dumps(message), headers)
    if 'error' in answer:
        raise RuntimeError(f'{operation}: {answer["error"]}')
    return answer['result']


[market, *_] = [
    market
    for market in call(
        'listMarketCatalogue',
        filter={'marketBettingTypes': ['ODDS'], 'marketTypeCodes': ['MATCH_ODDS'], 'textQuery': os.environ.get('BOT_EVENT', '')},
        maxResults=50,
        marketProjection=['RUNNER_DESCRIPTION', 'EVENT'],
    )
]
market_id, selection_id = market['marketId'], market['runners'][0]['selectionId']
print('market', market['event']['name'], market['marketName'], market_id)

stream = socket.create_connection((HOST, int(PORT)), timeout=15)
lines = stream.makefile('r', newline='\r\n', encoding='utf-8')


def say(**message):
    stream.sendall((json.dumps(message) + '\r\n').encode())


def wait_for(is_like):
    for line in lines:
        message = json.loads(line)
        if message.get('statusCode') == 'FAILURE':
            raise RuntimeError(message)
        if is_like(message):
            return message
    raise RuntimeError('the stream ended')


say(op='authentication', id=1, appKey=APP_KEY, session=SESSION)
say(op='marketSubscription', id=2, marketFilter={'marketIds': [market_id]}, marketDataFilter={'fields': ['EX_BEST_OFFERS', 'EX_MARKET_DEF']})
image = wait_for(lambda message: message['op'] == 'mcm' and message.get('ct') == 'SUB_IMAGE')
print('book', json.dumps(image['mc'][0]['rc'])[:200])
say(op='orderSubscription', id=3)
wait_for(lambda message: message['op'] == 'ocm' and message.get('ct') == 'SUB_IMAGE')


def own_order(bet_id):
    """Waits until the stream tells of a bet, in whatever message."""

    def tells(message):
        orders = [order for market in message.get('oc', []) for runner in market.get('orc', []) for order in runner.get('uo', [])]
        return any(order['id'] == bet_id for order in orders)

    wait_for(tells)


instruction = {
    'orderType': 'LIMIT',
    'selectionId': selection_id,
    'side': 'BACK',
    'limitOrder': {'size': 100, 'price': 990, 'persistenceType': 'LAPSE'},
    'customerOrderRef': 'example',
}
placed = call('placeOrders', marketId=market_id, instructions=[instruction])['instructionReports'][0]
print('placed', placed['status'], placed['betId'])
own_order(placed['betId'])
replaced = call('replaceOrders', marketId=market_id, instructions=[{'betId': placed['betId'], 'newPrice': 980}])
bet_id = replaced['instructionReports'][0]['placeInstructionReport']['betId']
print('replaced', replaced['status'], bet_id)
own_order(bet_id)
cancelled = call('cancelOrders', marketId=market_id, instructions=[{'betId': bet_id}])
print('cancelled', cancelled['status'], cancelled['instructionReports'][0]['sizeCancelled'])
own_order(bet_id)
print('open orders', len(call('listCurrentOrders', marketIds=[market_id])['currentOrders']))
cleared = call('listClearedOrders', betStatus='CANCELLED', betIds=[bet_id])['clearedOrders']
print('cleared', len(cleared), 'done')
