"""One source of randomness for every learner and mechanism, read in three ways.

Whatever is random is drawn from a `Coins` through a handful of discrete laws. `SeededCoins`
repeats itself (simulation), `SecureCoins` does not (release), and `learners.exact.ExactCoins`
takes every branch, so that the code that runs is the code whose law is computed.

Parameters are integers and fractions, noise is added to integers: no floating point number takes
part in a scalar draw of any reading.

| file | what is in it |
|---|---|
| `base` | the laws that can be drawn from, and how their parameters are checked |
| `words` | exact samplers over uniform words |
| `seeded` | coins that repeat themselves |
| `secure` | coins for a release |
"""

from learners.coins.base import Coins, require_coins
from learners.coins.secure import SecureCoins
from learners.coins.seeded import SeededCoins
from learners.coins.words import WordCoins

__all__ = ["Coins", "SecureCoins", "SeededCoins", "WordCoins", "require_coins"]
