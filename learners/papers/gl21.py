"""Golowich, Livni: Littlestone classes are privately online learnable (2021)."""

from __future__ import annotations

from functools import partial

from learners.papers.statement import UNSPECIFIED, Paper, Statement

__all__ = ["GL21"]

_record = partial(Statement, "GL21")

LDIM = "the class has Littlestone dimension d"
REALIZABLE = "every stream is realizable by the class"
OBLIVIOUS = "the stream was fixed before the first round (oblivious adversary)"
LISTS = "one changed example changes at most one of the k items of every list"
LEAVES = "k_1 is a power of two"

GL21 = Paper(
    "GL21",
    (
        _record(
            "Def 2.1",
            "differential privacy",
            r"$A$ is $(\varepsilon,\delta)$-differentially private if $\Pr[A(S) \in E] \le "
            r"e^\varepsilon \Pr[A(S') \in E] + \delta$ for every event $E$ and all data sets of "
            r"$n$ examples that differ in one.",
            checked=("the data sets have the same length and differ in one example",),
        ),
        _record(
            "Def 2.2",
            "privacy under T-fold adaptive composition",
            r"In each of $T$ steps an adversary chooses two neighbouring data sets and a "
            r"mechanism of a family and sees its output on the $b$-th of them, $b$ being the same "
            r"in all steps; the family is $(\varepsilon,\delta)$-private under this composition "
            r"if the outputs for $b = 0$ and $b = 1$ are $(\varepsilon,\delta)$-close for every "
            r"adversary.",
            checked=("in each step the two data sets are neighbours",),
        ),
        _record(
            "Thm 4.1",
            "DP-SOA against oblivious adversaries",
            r"With $k_1 = \tilde O(2^{d+1})$ and $k_2 = \tilde O(2^{8 \cdot 2^d} "
            r"\ln(T/\delta)/\varepsilon)$, DP-SOA is $(\varepsilon,\delta)$-private and makes "
            r"$\tilde O(2^{8 \cdot 2^d} \ln(T/\delta)/\varepsilon)$ mistakes on average on every "
            r"realizable stream of length $T$.",
            checked=(LDIM, REALIZABLE),
            assumed=(OBLIVIOUS,),
            constants=UNSPECIFIED,
            printed=r"k_2 = O~(2^(8 * 2^d) ln(T/delta)/epsilon), and as many mistakes",
            corrected=r"with k_1 = 2^(d+1) the stated conditions give k_2 = O~(2^(16 * 2^d) "
            r"ln(T/delta)/epsilon) and O~(2^(24 * 2^d) ln(T/delta)/epsilon) mistakes",
        ),
        _record(
            "Thm 4.2",
            "an adaptive variant",
            r"Some learner that is $(\varepsilon,\delta)$-private against adaptive inputs makes "
            r"$\tilde O(2^{O(2^d)} \sqrt T \log(1/\delta)/\varepsilon)$ mistakes on average on "
            r"every realizable stream: DP-SOA run anew in every round on all examples so far.",
            checked=(LDIM, REALIZABLE),
            constants=UNSPECIFIED,
        ),
        _record(
            "Alg 1",
            "DP-SOA",
            r"A forest of $k_2$ trees with $k_1$ leaves each; example $t$ goes to the pertinent "
            r"ancestor of a random leaf. Two pertinent siblings whose hypotheses differ are "
            r"replaced by their parent, whose sample is that of the one who errs on a random "
            r"label of a point where they differ, with this example. Each tree names the "
            r"hypothesis of a random pertinent vertex that agrees with its sibling; HistSparse "
            r"publishes a frequent name.",
            checked=(LEAVES,),
        ),
        _record(
            "Alg 2",
            "HistSparse",
            r"Name a frequent item of a list of length $k$; keep the name until the frequency of "
            r"other items plus $\mathrm{Lap}(2\sigma)$ passes $1 - 3\eta/32 + "
            r"\mathrm{Lap}(\sigma)$, $\sigma = 2c/(k\varepsilon)$; then ask a histogram of budget "
            r"$(\varepsilon/(2c), \delta/c)$ again, at most $c$ times in all.",
            checked=(LISTS,),
            printed=r"sigma = 2c/(k epsilon)",
            corrected=r"sigma = 4c/(k epsilon); with the printed noise the run is (3 epsilon/2, "
            r"delta)-private only, since a frequency can rise as well as fall",
        ),
        _record(
            "Thm 5.1",
            "frequencies from a stable histogram",
            r"From $k \ge 4/\eta + \ln(1/(\eta^2\beta\delta))/(\eta\varepsilon)$ items, a quoted "
            r"$(\varepsilon,\delta)$-private histogram satisfies, with probability $1-\beta$: "
            r"every item it releases has frequency more than $\eta/4$, and it releases every item "
            r"of frequency more than $\eta$.",
            printed=r"k >= 4/eta + ln(1/(eta^2 beta delta))/(eta epsilon)",
            corrected=r"too few for the mechanism that is built here, which needs "
            r"StableHistogram.size_needed(...); the quoted mechanism is another one and is not "
            r"refuted",
        ),
        _record(
            "Lemma 5.2",
            "McDiarmid without replacement",
            r"If $F$ of $n$ draws without replacement changes by at most $c$ when one argument "
            r"does, then $\Pr[\mathbb E F - F \ge \varepsilon] \le "
            r"\exp(-2\varepsilon^2/(9nc^2))$.",
            checked=("the sensitivity c of F", "n is at most the number of items"),
            assumed=("the draws are uniform without replacement",),
        ),
        _record(
            "Lemma 5.3",
            "HistSparse is private and accurate",
            r"HistSparse is $(\varepsilon,\delta)$-private. If $k$ is at least "
            r"$8c(\ln T + \ln(2c/\beta))/(\alpha\varepsilon)$ and at least the size of the "
            r"histogram, and some item of every list has frequency at least $\eta$, then with "
            r"probability $1-2\beta$, until it stops, every name has frequency at least $\eta/16$, "
            r"and a name that is replaced has frequency at most $\eta/8$ and the new one at least "
            r"$\eta/4$.",
            checked=(LISTS, "some item of every list has frequency at least eta"),
            printed=r"k >= 8c(ln T + ln(2c/beta))/(alpha epsilon) and k >= Theta_(2)(eta, beta, "
            r"epsilon, delta)",
            corrected=r"k >= 16c(ln T + ln(2c/beta))/(alpha epsilon) with alpha = eta/32, for the "
            r"corrected noise, and k >= Theta_(2)(eta, beta/c, epsilon/(2c), delta/c), since the "
            r"histogram is asked c times with these budgets",
        ),
        _record(
            "Lemma 5.4",
            "advanced composition",
            r"If $\delta' = \delta/(2T)$ and $\varepsilon' = \varepsilon/(2\sqrt{2T\ln(1/\delta)})"
            r"$, then $(\varepsilon',\delta')$-private mechanisms are $(\varepsilon,\delta)$-"
            r"private under $T$-fold adaptive composition.",
            checked=("epsilon <= 1", "delta <= 1/2"),
            printed=r"epsilon' = epsilon/(2 sqrt(2 T ln(1/delta)))",
            corrected=r"epsilon' = epsilon/(2 sqrt(2 T ln(2/delta))), since half of delta is left "
            r"as slack; for epsilon <= 1 and delta <= 1/2 the printed one is right, too",
        ),
        _record(
            "Lemma A.1",
            "DP-SOA is private",
            r"Run with parameters $(\varepsilon,\delta)$, DP-SOA publishes hypotheses that are "
            r"$(\varepsilon,\delta)$-private.",
            checked=("the streams have the same length and differ in one example",),
        ),
        _record(
            "Lemma A.2",
            "a frequent hypothesis exists",
            r"If $k_1 \ge \max\{2^{d+1}, 20\}$ and $k_2 \ge 2^{8k_1+6} k_1^2 \log(5T \log "
            r"k_1/\beta)$, then with probability $1-\beta$, in every round, some hypothesis other "
            r"than $\bot$ has frequency at least $2^{-4k_1}/(4k_1)$ among those of the trees.",
            checked=(LDIM, REALIZABLE, LEAVES),
            assumed=(OBLIVIOUS,),
            printed=r"2^(-4k_1)/(4k_1)",
            corrected=r"what its proof gives is 2^(-4k_1)/(16k_1), since it finds 2^(-4k_1-3) k_2 "
            r"trees, of which half a share 1/k_1 names f; by another proof the lemma is right, for "
            r"fewer than 20 leaves, too",
        ),
        _record(
            "Lemma A.3",
            "expected mistakes of DP-SOA",
            r"With $\beta = 1/T$, $\eta$ and $c$ as in the algorithm, $k_1$ and $k_2$ large enough "
            r"for Lemmas 5.3 and A.2, DP-SOA makes on average at most "
            r"$4k_1^3 2^{2k_1} k_2/\eta + 1$ mistakes.",
            checked=(LDIM, REALIZABLE, LEAVES),
            assumed=(OBLIVIOUS,),
            printed=r"c = 4k_1/eta; in the last display of the proof, k_1^2 k_2/eta + 3 mistakes",
            corrected=r"c = 8k_1/eta, as two lists are only known to differ in eta k_2/8 places; "
            r"16 k_1^2 k_2/eta + 3 mistakes, which is less than the lemma states",
        ),
        _record(
            "Claim A.4",
            "consistent trees",
            r"In a fixed round, at least $2^{-2k_1-1} k_2$ of the trees have guessed every label "
            r"as the target says, except with probability $\exp(-\tfrac12 k_2 2^{-4k_1})$.",
            checked=(REALIZABLE, LEAVES),
            assumed=(OBLIVIOUS,),
        ),
        _record(
            "Claim A.5",
            "some layer is heavy",
            r"In a fixed round, except with probability $2 \log k_1 \cdot "
            r"\exp(-2^{-4k_1-1} k_2/9)$, for some depth a share of at least $2^{-k_1}$ of the "
            r"vertices of consistent trees have one and the same hypothesis other than $\bot$.",
            checked=(LDIM, REALIZABLE, LEAVES),
            assumed=(OBLIVIOUS,),
        ),
        _record(
            "Claim A.6",
            "pairs of equal siblings",
            r"Given that some depth is heavy for $f$ and $k_1 \ge 20$, at least $2^{-2k_1-1} k_2$ "
            r"of the trees have two siblings with hypothesis $f$, except with probability "
            r"$2\exp(-2^{-8k_1-6} k_2/9)$.",
            checked=(LDIM, REALIZABLE, LEAVES),
            assumed=(OBLIVIOUS,),
            printed=r"2^(-2k_1-1) k_2 trees",
            corrected=r"2^(-4k_1-3) k_2 trees is what the proof says, which arranges vertices anew "
            r"that stop learning when they are merged, so that arrangements are not equally likely",
        ),
        _record(
            "Thm A.7",
            "accuracy of Above-threshold",
            r"If $k \ge 8c(\ln T + \ln(2c/\beta))/(\alpha\varepsilon)$, queries of sensitivity "
            r"$1/k$ are answered $\varepsilon$-privately such that, if at most $c$ of them reach "
            r"$\theta - \alpha$, with probability $1-\beta$ every $\top$ is at a query of at least "
            r"$\theta - \alpha$ and every $\bot$ at one of at most $\theta + \alpha$.",
            checked=(
                "queries have sensitivity 1/k",
                "at most c queries reach theta - alpha",
            ),
        ),
        _record(
            "Alg 3",
            "Above-threshold",
            r"With $\sigma = 2c/(k\varepsilon)$: answer $\top$ when a query plus "
            r"$\mathrm{Lap}(2\sigma)$ reaches $\theta$, else $\bot$; draw the threshold "
            r"$\theta + \mathrm{Lap}(\sigma)$ anew after each $\top$; stop after $c$ of them.",
            checked=("queries have sensitivity 1/k",),
            printed=r"compare with theta, so that the noisy threshold is never used",
            corrected=r"compare with theta_counter, the noisy threshold",
        ),
    ),
)
