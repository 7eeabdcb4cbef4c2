"""One source of randomness for every learner and mechanism, with three implementations.

All randomness is drawn from a `Coins` through a few discrete distributions. `SeededCoins` repeats
its draws for a given seed (simulation), and `SecureCoins` does not (release).
`learners.exact.ExactCoins` takes every branch, so the executed code is the code whose output
distribution is computed.

Parameters are integers and fractions, and noise is added to integers. No source uses floating
point numbers in a scalar draw.

| file | content |
|---|---|
| `base` | the distributions that can be drawn from, and checks of their parameters |
| `words` | exact samplers over uniform words |
| `seeded` | coins that repeat their draws for a given seed |
| `secure` | coins for a release |
| `generator` | coins as a generator of uniform integers, for the samplers of concept classes |
"""

from learners.coins.base import Coins, require_coins
from learners.coins.generator import CoinGenerator
from learners.coins.secure import SecureCoins
from learners.coins.seeded import SeededCoins
from learners.coins.words import WordCoins

__all__ = ["CoinGenerator", "Coins", "SecureCoins", "SeededCoins", "WordCoins", "require_coins"]
