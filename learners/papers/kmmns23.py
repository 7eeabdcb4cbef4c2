"""Kaplan, Mansour, Moran, Nissim, Stemmer: Black-box differential privacy (2023)."""

from __future__ import annotations

from functools import partial

from learners.papers.statement import UNSPECIFIED, Erratum, Paper, Statement

__all__ = ["KMMNS23"]

_record = partial(Statement, "KMMNS23")

ADDED = "the data sets differ by one added or removed item"
BASE = "the base learner makes at most d mistakes on every realizable stream"
REALIZABLE = "every stream is realizable by the class"
ONE = "at most one challenge is posed"

KMMNS23 = Paper(
    "KMMNS23",
    (
        _record(
            "Def 1.1",
            "online learnability, realizable",
            r"A class is online learnable if some learner makes $o(T)$ mistakes on average on "
            r"every realizable stream of length $T$.",
            checked=(REALIZABLE,),
            assumed=("the stream was fixed before the first round (oblivious adversary)",),
        ),
        _record(
            "Rem 1.2",
            "oblivious and adaptive adversaries",
            r"Mistakes are defined for streams that are fixed in advance, privacy always for "
            r"adaptive adversaries; the bounds on mistakes hold for adaptive ones, too.",
            undecidable="A remark on how definitions are to be read; its content is in the "
            "statements themselves.",
        ),
        _record(
            "Def 2.1",
            "differential privacy",
            r"$M$ is $(\varepsilon,\delta)$-differentially private if $M(S)$ and $M(S')$ are "
            r"$(\varepsilon,\delta)$-close for all neighbouring $S, S'$.",
            checked=(ADDED,),
        ),
        _record(
            "Def 2.2",
            "Laplace law",
            r"$\mathrm{Lap}(\gamma)$ has the density $\frac{1}{2\gamma}\exp(-\lvert x \rvert/"
            r"\gamma)$. (Built on the integers, with the same scale.)",
        ),
        _record(
            "Def 2.3",
            "sensitivity",
            r"$f$ has sensitivity $\Delta$ if $\lvert f(S) - f(S') \rvert \le \Delta$ for all "
            r"neighbouring $S, S'$.",
            checked=(ADDED,),
        ),
        _record(
            "Thm 2.4",
            "Laplace mechanism",
            r"If $f$ has sensitivity $\Delta$, then $f(S) + \mathrm{Lap}(\Delta/\varepsilon)$ is "
            r"$(\varepsilon, 0)$-private.",
            checked=("the sensitivity of f",),
        ),
        _record(
            "Def 2.5",
            "joint differential privacy",
            r"$M$, with one answer for each of its $n$ inputs, is $(\varepsilon,\delta)$-jointly "
            r"private if for data sets that differ in their $i$-th item the laws of all answers "
            r"but the $i$-th are $(\varepsilon,\delta)$-close.",
            checked=("the data sets have the same length and differ in one item",),
        ),
        _record(
            "Ex 2.6",
            "water bills",
            r"A report to each household on whether its consumption is above the median may be "
            r"more useful under joint privacy than after a private release of the median.",
            undecidable="A motivation in words, without a quantity.",
        ),
        _record(
            "Alg 1",
            "AboveThreshold with fresh noise",
            r"Answer 1 to a query $f_i$ if $f_i(S) + \mathrm{Lap}(\gamma) \ge t$, else 0, with "
            r"$\gamma = O\bigl(\tfrac{\Delta}{\varepsilon}\sqrt r \ln(r/\delta)\bigr)$; halt after "
            r"$r$ ones.",
            checked=("queries have sensitivity Delta",),
            constants=UNSPECIFIED + "; 8 is enough and 1 is not",
        ),
        _record(
            "Def 2.7",
            "privacy under adaptive queries",
            r"$M$ is $(\varepsilon,\delta)$-private if, for every adversary, the game "
            r"AdaptiveQuery is $(\varepsilon,\delta)$-private in its bit.",
            checked=("the two data sets are neighbours",),
        ),
        _record(
            "Alg 2",
            "the game AdaptiveQuery",
            r"The adversary chooses two neighbouring data sets; $M$ gets the $b$-th. Then the "
            r"adversary chooses queries and sees every answer.",
            checked=("the two data sets are neighbours",),
        ),
        _record(
            "Thm 2.8",
            "AboveThreshold is private",
            r"AboveThreshold with fresh noise is $(\varepsilon,\delta)$-private under adaptive "
            r"queries, however many there are.",
            checked=("queries have sensitivity Delta",),
            constants=UNSPECIFIED + "; proved here for gamma = (Delta/epsilon) max(8 ln(1/delta), "
            "4.4 sqrt(r ln(1/delta)))",
        ),
        _record(
            "Def 2.9",
            "privacy under adaptive inputs",
            r"$M$ is $(\varepsilon,\delta)$-private if, for every adversary, the game "
            r"AdaptiveInput is $(\varepsilon,\delta)$-private in its bit.",
            checked=(ONE,),
        ),
        _record(
            "Alg 3",
            "the game AdaptiveInput",
            r"In each round the adversary chooses an item, in one round of its choice two, of "
            r"which $M$ gets the $b$-th, and sees every answer of $M$.",
            checked=(ONE,),
        ),
        _record(
            "Thm 2.10",
            "private counter",
            r"Some $(\varepsilon, 0)$-private mechanism answers each of $T$ bits by a running "
            r"count such that, with probability $1-\beta$ over its coins alone, no answer to any "
            r"stream is off by more than $O(\tfrac1\varepsilon \log T \log(T/\beta))$.",
            constants=UNSPECIFIED + "; explicit in learners.mechanisms.counter",
        ),
        _record(
            "Def 3.1",
            "challenge differential privacy",
            r"A learner is $(\varepsilon,\delta)$-challenge-private if, for every adversary, "
            r"OnlineGame is $(\varepsilon,\delta)$-private in its bit.",
            checked=(ONE,),
        ),
        _record(
            "Alg 4",
            "the game OnlineGame",
            r"In each round the adversary chooses a labelled example, in at most $g$ rounds two, "
            r"of which the learner gets the $b$-th; it sees the predictions of all other rounds.",
            checked=("at most g challenges are posed",),
        ),
        _record(
            "Rem 3.2",
            "relation to private everlasting prediction",
            r"The definition of Naor et al. is the case of a data set that comes first and of "
            r"users who submit one point each.",
            undecidable="A remark on another paper's definition.",
        ),
        _record(
            "Alg 5",
            "the game CompositionGame",
            r"A meta-adversary chooses, one after the other, $m$ challenge-private learners with "
            r"adversaries and horizons, and sees each adversary's view; the bit is the same in all "
            r"games.",
            checked=("every learner states at most (epsilon, delta)",),
        ),
        _record(
            "Thm 3.3",
            "composition",
            r"CompositionGame is $(\varepsilon', m\delta + \delta')$-private for $\varepsilon' = "
            r"\sqrt{2m\ln(1/\delta')}\,\varepsilon + m\varepsilon(e^\varepsilon - 1)$.",
            checked=("every learner is (epsilon, delta)-challenge-private",),
        ),
        _record(
            "Thm 3.4",
            "group privacy",
            r"A learner that is $(\varepsilon,\delta)$-challenge-private is $(g\varepsilon, g "
            r"e^{g\varepsilon}\delta)$-private if $g$ challenges are posed.",
            checked=("the learner is (epsilon, delta)-challenge-private",),
        ),
        _record(
            "Alg 6",
            "ChallengeAT",
            r"AboveThreshold with fresh noise $\gamma = O\bigl(\tfrac{\Delta}{\varepsilon}"
            r"\sqrt{r + \lambda}\ln(\tfrac{r+\lambda}{\delta})\bigr)$ that halts when a private "
            r"counter of the ones, of error $\lambda$ with probability $1-\delta$, reaches $r$.",
            checked=("queries have sensitivity Delta",),
            constants=UNSPECIFIED + "; explicit in learners.mechanisms.challenge_at",
            notes=(
                r"The root in $\gamma$ reads $\sqrt r + \lambda$; twice the same text has "
                r"$\sqrt{r + \lambda}$, in the proof of Theorem 5.3.",
            ),
        ),
        _record(
            "Rem 4.1",
            "the counter needs the horizon",
            r"$\lambda = O(\tfrac1\varepsilon \log T \log(T/\beta))$ depends on $T$ and $\beta$, "
            r"which ChallengeAT has to know.",
            constants=UNSPECIFIED + "; explicit in learners.mechanisms.challenge_at",
            errata=(
                Erratum(
                    "imprecise or unspecified",
                    "Remark 4.1",
                    r"it sets $\lambda = O\left(\frac{1}{\varepsilon} \log(T) "
                    r"\log\left(\frac{T}{\beta}\right)\right)$",
                    r"Algorithm 6 asks for an error that is exceeded with probability at most "
                    r"$\delta$, hence $\log(T/\delta)$, as in the proof of Theorem 5.3; for "
                    r"privacy only counting too few matters, at one round",
                ),
            ),
        ),
        _record(
            "Thm 4.2",
            "accuracy of ChallengeAT",
            r"With probability $1-\beta$ over its coins, for every data set and $T$ queries: "
            r"ChallengeAT does not halt before its $r$-th one; every one is at a query of at least "
            r"$t - a$ and every zero at one of at most $t + a$, where $a = O\bigl(\tfrac{\Delta}"
            r"{\varepsilon}\sqrt{r + \lambda}\ln(\tfrac{r+\lambda}{\delta})\log(T/\beta)\bigr)$.",
            constants=UNSPECIFIED + "; the error is gamma ln(3T/beta) at most",
            errata=(
                Erratum(
                    "refuted",
                    "Theorem 4.2, item 1",
                    r"Algorithm ChallengeAT does not halt before the $r$th time in which it "
                    r"outputs $\sigma_i = 1$",
                    r"not before the $(r - \lambda)$-th time, since the counter of Theorem 2.10, "
                    r"a sum of Laplace noises, may count too many; or as printed for a counter "
                    r"that subtracts its error",
                    witness="pop: reports at which halting gets likelier than 1/20, by a tree "
                    "counter",
                ),
            ),
            notes=(
                r"In items 2 and 3 the root reads $\sqrt r + \lambda$, for $\sqrt{r + \lambda}$.",
            ),
        ),
        _record(
            "Thm 5.1",
            "mistakes of POP",
            r"The same as Theorem 5.3.",
            checked=(BASE, REALIZABLE),
            constants=UNSPECIFIED + "; as for Theorem 5.3",
        ),
        _record(
            "Alg 7",
            "POP",
            r"Keep $k$ copies of a learner. Ask all of them about each point; ChallengeAT tests "
            r"whether $-\lvert k/2 - \#\{\text{ones}\}\rvert \ge -k/4$; predict by a fair coin if "
            r"so, else by the majority. Tell the label to one random copy.",
            checked=(BASE,),
        ),
        _record(
            "Thm 5.2",
            "POP is private",
            r"POP is $(O(\varepsilon), O(\delta))$-challenge-private.",
            constants=UNSPECIFIED + "; (epsilon + halting_epsilon, delta + halting_failure + "
            "majority_failure) is proved here",
            errata=(
                Erratum(
                    "imprecise or unspecified",
                    "Theorem 5.2",
                    r"Algorithm POP is $(O(\varepsilon), O(\delta))$-Challenge-DP.",
                    r"a condition on $k$ is not stated: the proof uses that ChallengeAT is "
                    r"accurate to less than $k/4$, except with probability $\delta$. Proved here "
                    r"for $k \ge 4 + 4\gamma\ln(T/(2\delta_m))$, or with the $\delta_m$ of fewer "
                    r"copies added",
                ),
            ),
        ),
        _record(
            "Thm 5.3",
            "mistakes of POP",
            r"With $k = \tilde O\bigl(\tfrac{d}{\varepsilon^2}\log^2\tfrac1\delta\log^2"
            r"\tfrac T\beta\bigr)$ and $r = O(dk + \ln\tfrac1\beta)$, POP makes at most "
            r"$\tilde O\bigl(\tfrac{d^2}{\varepsilon^2}\log^2\tfrac1\delta\log^2\tfrac T\beta"
            r"\bigr)$ mistakes with probability $1-\beta$.",
            checked=(BASE, REALIZABLE),
            constants=UNSPECIFIED + "; explicit in learners.pop.plan",
            errata=(
                Erratum(
                    "gap in a proof",
                    "proof of Theorem 5.3",
                    r"$\Pr \left[ 1/5\text{-Err} > 18dk + 18 + \ln\left(\frac{1}{\beta}\right) "
                    r"\right] \leq \beta$",
                    r"from Theorem E.1, which is referred to, follows $19dk + 18 + "
                    r"6\ln(1/\beta)$. The display is true for $\ln(1/\beta) \le 0.93dk$, by "
                    r"another argument, and so where it is used",
                ),
            ),
        ),
        _record(
            "Def A.1",
            "challenge privacy, general",
            r"A mechanism that interacts with one user after the other is $(\varepsilon,\delta)$-"
            r"challenge-private if, for every adversary, GeneralGame is $(\varepsilon,\delta)$-"
            r"private in its bit.",
            checked=(ONE,),
        ),
        _record(
            "Alg 8",
            "the game GeneralGame",
            r"In each phase the adversary chooses an interactive algorithm that talks with $M$, in "
            r"one phase two, of which the $b$-th does; it sees the views of the algorithms of all "
            r"other phases.",
            checked=(ONE,),
        ),
        _record(
            "Thm C.1",
            "ChallengeAT is private in its game",
            r"ChallengeAT-Game is $(O(\varepsilon), O(\delta))$-private in its bit, for every "
            r"adversary.",
            checked=("queries other than the challenge have sensitivity Delta",),
            constants=UNSPECIFIED
            + "; (c + e, d + f) with r + lambda reports is proved here: e and "
            "d are what reports cost, c and f what halting costs",
        ),
        _record(
            "Alg 9",
            "the game ChallengeAT-Game",
            r"As AdaptiveQuery with ChallengeAT, but in one round the adversary may choose two "
            r"queries, however different, of which the $b$-th is asked and whose answer it does "
            r"not see.",
            checked=(ONE, "the two data sets are neighbours"),
        ),
        _record(
            "Alg 10",
            "the hybrid CATG-AboveThreshold",
            r"ChallengeAT-Game with AboveThreshold in the place of ChallengeAT, and a counter that "
            r"is told 0 in the challenge round.",
            undecidable="A step inside the proof of Theorem C.1, with no claim of its own; the "
            "proof that is built does without it.",
        ),
        _record(
            "Alg 11",
            "the simulating adversary",
            r"An adversary of OnlineGame against POP is simulated in ChallengeAT-Game: data sets "
            r"$\{0\}, \{1\}$, as query the disagreement of the copies in the world $b$, and as "
            r"prediction what POP would say to the answer, from the copies of one world.",
            checked=(ONE,),
            errata=(
                Erratum(
                    "imprecise or unspecified",
                    "Algorithm 11, step 1",
                    r"Specify two datasets $S_0 = \{0\}$ and $S_1 = \{1\}$.",
                    r"the game asks for neighbouring data sets, of which one has one element "
                    r"more (section 2); $\emptyset$ and $\{1\}$ do, and only that queries differ "
                    r"by at most 1 is used",
                ),
            ),
        ),
        _record(
            "Alg 12",
            "the game CoinGame",
            r"In each of $m$ rounds an adversary with budget $k$ chooses $0 \le p \le 5/6$ and "
            r"$p/5 \le q \le 1 - p$; with probability $p$ the reward grows by one (while the "
            r"budget is positive), with probability $q$ the budget shrinks by one.",
        ),
        _record(
            "Thm E.1",
            "tail of the coin game",
            r"For every adversary and every $\lambda$, $\Pr[\text{reward} > \lambda] \le "
            r"\exp(-\lambda/6 + 3(k+1))$.",
        ),
        _record(
            "Thm F.1",
            "an agnostic base learner",
            r"Some learner makes at most $O(M^* + \mathrm{Ldim}(H)\ln T)$ mistakes on every stream "
            r"of length $T$ on which some concept errs at most $M^*$ times.",
            checked=("some concept errs at most M* times",),
            constants=UNSPECIFIED + "; the largest n with 2^n <= C(n, <=d) C(n, <=M) is proved "
            "here, which does not depend on T",
        ),
        _record(
            "Def F.2",
            "POP[u, w]",
            r"POP that halts after its $v$-th mistake for some $u \le v \le w$, which a private "
            r"counter of the mistakes can decide.",
            errata=(
                Erratum(
                    "imprecise or unspecified",
                    "Definition F.2",
                    r"This could be done while preserving privacy (for appropriate values of $u "
                    r"< w$) by using the counter of Theorem 2.10 for privately counting the "
                    r"number of mistakes.",
                    r"whether the challenged user erred depends on a prediction that nobody else "
                    r"sees, and what this costs is not said; proved here: the counter's "
                    r"$\varepsilon$, once",
                ),
            ),
        ),
        _record(
            "Lemma F.3",
            "OPT when a phase halts",
            r"With the learner of Theorem F.1 for $M^* = d\ln T$, $k = \tilde\Theta(d^2/"
            r"\varepsilon)$, $r = u = \Theta(kd\ln T)$ and $w = 2u$, with probability $1-\beta$ "
            r"every concept errs more than $d\ln T$ times before POP[u, w] halts.",
            checked=("the base learner errs at most so often on streams with OPT <= M*",),
            constants=UNSPECIFIED + "; explicit in learners.pop.agnostic",
            errata=(
                Erratum(
                    "imprecise or unspecified",
                    "Lemma F.3",
                    r"Denote $k = \tilde{\Theta}\left(\frac{d^2}{\varepsilon}\right)$",
                    r"$\tilde\Theta(d/\varepsilon^2)$ is what the accuracy of ChallengeAT asks "
                    r"for and what Theorem F.4 uses",
                ),
                Erratum(
                    "gap in a proof",
                    "proof sketch of Lemma F.3",
                    r"$k \cdot \text{WorstExpert} \geq 1/5\text{-Err}$",
                    r"a round in which more than $k/5$ copies err adds a mistake on an example "
                    r"that is told with a probability of more than 1/5 only. With high "
                    r"probability $5k\,\text{WorstExpert}\,(1 + o(1)) \ge 1/5\text{-Err}$, so "
                    r"$u$ and $r$ must exceed that",
                ),
            ),
        ),
        _record(
            "Thm F.4",
            "agnostic POP",
            r"Some $(\varepsilon,\delta)$-challenge-private learner makes with high probability at "
            r"most $\tilde O(d\,\mathrm{OPT}/\varepsilon^2 + d^2/\varepsilon^2)$ mistakes on "
            r"adaptively chosen examples.",
            checked=("the class has Littlestone dimension d",),
            constants=UNSPECIFIED + "; (floor(OPT/(M + 1)) + 1) w mistakes are proved here",
            errata=(
                Erratum(
                    "imprecise or unspecified",
                    "proof sketch of Theorem F.4",
                    r"This is obtained by repeatedly re-running $\text{POP}_{[u, w]}$, with the "
                    r"parameter setting specified in Lemma F.3.",
                    r"how $\delta$ is shared among the phases is not said; here the phases that "
                    r"may be started have shares that add up to it",
                ),
            ),
        ),
    ),
)
