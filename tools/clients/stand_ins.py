"""flumine imports clients of other exchanges, a reader of files in clouds and a way to try again, which nothing here uses: where they are not installed, empty modules stand for them."""
import importlib.util
import sys
import types


class Empty(type):
    """A class that has whatever is asked of it."""

    def __getattr__(cls, name):
        if name.startswith('__'):
            raise AttributeError(name)
        return Empty(name, (Exception,), {})


class StandIn(types.ModuleType):
    """A module that has whatever is asked of it, and all of it is empty."""

    __path__ = []

    def __getattr__(self, name):
        return getattr(Empty, '__getattr__')(self, name)


for unused in ('betdaq', 'betconnect', 'smart_open'):
    if importlib.util.find_spec(unused) is None:
        for part in ('', '.apiclient', '.enums', '.exceptions', '.filters', '.resources'):
            sys.modules[unused + part] = StandIn(unused + part)

if importlib.util.find_spec('tenacity') is None:
    once = StandIn('tenacity')
    once.retry = lambda **_: lambda function: function
    once.wait_exponential = lambda **_: None
    sys.modules['tenacity'] = once
