"""Bun, Livni, Moran: An equivalence between private classification and online prediction (2020)."""

from __future__ import annotations

from functools import partial

from learners.papers.statement import UNSPECIFIED, Erratum, Paper, Statement

__all__ = ["BLM20"]

_record = partial(Statement, "BLM20")

LDIM = "the class has Littlestone dimension d"
REALIZABLE = "the distribution is realizable by the class"
IID = "the examples are independent draws from one distribution"

BLM20 = Paper(
    "BLM20",
    (
        _record(
            "Sec 1, finite classes",
            "Ldim of a finite class",
            r"Every finite class has $\mathrm{Ldim}(\mathcal H) \le \log_2 \lvert\mathcal "
            r"H\rvert$.",
            checked=("the class is finite and not empty",),
        ),
        _record(
            "Sec 1, mistakes",
            "optimal mistake bound",
            r"If one of the experts never errs, the least number of mistakes that a deterministic "
            r"learner can guarantee is $d$.",
            checked=(LDIM, "every stream is realizable by the class"),
        ),
        _record(
            "Sec 1, regret",
            "optimal regret",
            r"The least regret over $T$ rounds that a learner can guarantee satisfies "
            r"$\Omega(\sqrt{dT}) \le R(T) \le O(\sqrt{dT \log T})$.",
            checked=(LDIM,),
            constants=UNSPECIFIED,
            undecidable="A rate in T with constants that are not given; every finite T satisfies "
            "it for some constants.",
        ),
        _record(
            "Sec 1, affine subspaces",
            "Ldim of affine subspaces",
            r"Over a field $\mathbb F$, the indicators of the affine subspaces of $\mathbb F^n$ of "
            r"dimension at most $k$ form a class of Littlestone dimension $k$.",
            checked=("k <= n",),
            errata=(
                Erratum(
                    "refuted",
                    "section 1",
                    r"The Littlestone dimension of $\mathcal{H}$ is $d$.",
                    r"for affine subspaces of dimension at most $d$ it is $d + 1$, over every "
                    r"field, except for $d = n = 1$ over two elements without the empty set, "
                    r"where it is 1; for linear subspaces $d$ is right",
                    witness="affine: ldim",
                ),
            ),
        ),
        _record(
            "Sec 1, polynomial equalities",
            "Ldim of sets of zeros",
            r"The sets of zeros of polynomials of bounded degree form a class of finite "
            r"Littlestone dimension; it is at most the number of monomials, $\binom{n+r}{r}$ for "
            r"degree $r$ in $n$ variables.",
            checked=("each concept is the set of zeros of one polynomial of degree at most r",),
            constants=UNSPECIFIED + "; the number of monomials is proved here",
        ),
        _record(
            "Sec 1.1.1, finite classes",
            "finite classes are stable",
            r"A learner that uses $n$ samples and returns a member of a finite class $\mathcal H$ "
            r"is $(n, 1/\lvert\mathcal H\rvert)$-globally stable.",
            checked=("every output is one of finitely many hypotheses",),
            assumed=(IID,),
        ),
        _record(
            "Thm 1",
            "Littlestone classes are privately learnable",
            r"If $\mathrm{Ldim}(\mathcal H) = d$, then for $\varepsilon, \delta \in (0,1)$ and "
            r"$\alpha, \beta \in (0,1/2)$ some $(\varepsilon,\delta)$-private learner finds from "
            r"$n = O\bigl(16^d d^2 (d + \log(1/\beta\delta))/(\alpha\varepsilon)\bigr)$ examples "
            r"of any realizable distribution, with probability $1-\beta$, a hypothesis of loss at "
            r"most $\alpha$.",
            checked=(LDIM, REALIZABLE, "the ranges of the four parameters"),
            assumed=(IID,),
            constants=UNSPECIFIED,
        ),
        _record(
            "Cor 2",
            "agnostic private learning",
            r"The same for every distribution, with loss at most $\min_h \mathrm{loss}(h) + "
            r"\alpha$, from $(\mathrm{VC}(\mathcal H) + \log(1/\beta))/(\alpha^2\varepsilon)$ "
            r"examples more, up to a constant.",
            checked=(LDIM, "the ranges of the four parameters"),
            assumed=(IID,),
            constants=UNSPECIFIED + "; recomputed for finite classes, with the numbers of rows of "
            "learners.pac.generic; for others the paper cites the step from realizable learners",
        ),
        _record(
            "Thm 3",
            "privately learnable is online learnable",
            r"A class is online learnable if and only if it is learnable under approximate "
            r"differential privacy.",
            undecidable="Both sides are about sample sizes and horizons without end; every finite "
            "class is learnable in both ways.",
        ),
        _record(
            "Def 4",
            "global stability",
            r"A learner $A$ is $(n, \eta)$-globally stable for $D$ if "
            r"$\Pr_{S \sim D^n}[A(S) = h] \ge \eta$ for some hypothesis $h$.",
            assumed=(IID,),
        ),
        _record(
            "Prop 5",
            "stable hypotheses generalize",
            r"If a consistent learner returns $h$ with probability at least $\eta$ on $n$ examples "
            r"of a realizable distribution $D$, then $\mathrm{loss}_D(h) \le \ln(1/\eta)/n$.",
            checked=(REALIZABLE, "the learner is consistent on every realizable sample"),
            assumed=(IID,),
        ),
        _record(
            "Thm 6",
            "boosting of weak private learners",
            r"There is a $c > 0$ such that a class with a $(0.1, c/(n_0^2 \log n_0))$-private "
            r"learner of loss and failure probability $1/16$ from $n_0$ examples has, for all "
            r"$\alpha, \beta, \varepsilon, \delta$, an $(\varepsilon,\delta)$-private learner from "
            r"$C_{\mathcal H} \log(1/\beta\delta)/(\alpha\varepsilon)$ examples.",
            constants=UNSPECIFIED,
            undecidable="It passes through 'the dimension is finite', which every instance that "
            "can be enumerated satisfies, and c and C are not given.",
        ),
        _record(
            "Def 7",
            "population and empirical loss",
            r"$\mathrm{loss}_D(h) = \Pr_{(x,y) \sim D}[h(x) \ne y]$, and $\mathrm{loss}_S(h)$ is "
            r"the share of the examples of $S$ on which $h$ errs.",
        ),
        _record(
            "Alg SOA",
            "Standard Optimal Algorithm",
            r"Keep $\mathcal H_t$, the concepts that fit the examples so far; predict at $x$ a "
            r"label $b$ for which $\mathrm{Ldim}(\{h \in \mathcal H_t : h(x) = b\})$ is largest.",
            checked=("every stream is realizable by the class",),
        ),
        _record(
            "Def 8",
            "SOA on sequences that no concept fits",
            r"While some concept fits all examples so far, the SOA is as it was; an example "
            r"$(x, y)$ after which none does changes its rule at $x$, to $y$, and nowhere else.",
            errata=(
                Erratum(
                    "imprecise or unspecified",
                    "section 3.2, before Definition 8",
                    r"For concreteness, we pick the SOA (any other optimal algorithm will also "
                    r"work).",
                    r"any other optimal algorithm whose rule is right on all examples that it "
                    r"was told; one that updates on mistakes only has the optimal mistake bound, "
                    r"but item 2 of Observation 11 fails for it",
                ),
            ),
        ),
        _record(
            "Def 9",
            "private learning algorithm",
            r"$A$ is $(\varepsilon,\delta)$-differentially private if $A(S)$ and $A(S')$ are "
            r"$(\varepsilon,\delta)$-indistinguishable for all samples that differ in one example, "
            r"whether or not they are realizable.",
            checked=("the samples have the same length and differ in one example",),
        ),
        _record(
            "Thm 10",
            "a globally stable learner",
            r"If $\mathrm{Ldim}(\mathcal H) = d \ge 1$ and $m = (8^{d+1} + 1)\lceil d/\alpha "
            r"\rceil$, some learner $G$ on $m$ examples has, for each realizable $D$, a hypothesis "
            r"$f$ with $\Pr[G(S) = f] \ge 1/((d+1)2^{d+1})$ and $\mathrm{loss}_D(f) \le \alpha$.",
            checked=(LDIM, REALIZABLE, "d >= 1"),
            assumed=(IID,),
            notes=(
                r"The last display of the proof has $\mathcal{D}_{k^*}$ on both sides; on the "
                r"left the Monte-Carlo variant is meant.",
            ),
        ),
        _record(
            "Alg D_k",
            "distributions of tournament samples",
            r"$D_0$ gives the empty sample. $D_k$ is undefined if $D_{k-1}$ is, or if the SOA "
            r"returns one hypothesis with probability at least $2^{-d}$ after $S \sim D_{k-1}$ and "
            r"$n$ examples of $D$. Otherwise draw two such samples until the SOA's hypotheses "
            r"differ, choose a point where they do and a fair label for it, and append it to the "
            r"sample whose hypothesis errs on it.",
            assumed=(IID,),
        ),
        _record(
            "Obs 11",
            "tournament examples force mistakes",
            r"On $S \circ T$ with $S \sim D_k$, $T \sim D^n$ the SOA errs on each of the $k$ "
            r"tournament examples, and its last hypothesis fits $T$.",
            checked=("D_k is defined",),
        ),
        _record(
            "Lemma 12",
            "a frequent hypothesis exists",
            r"For some $k \le d$ and some $f$, $D_k$ is defined and $\Pr[\mathrm{SOA}(S \circ T) = "
            r"f] \ge 2^{-d}$.",
            checked=(LDIM, REALIZABLE),
            assumed=(IID,),
        ),
        _record(
            "Lemma 13",
            "frequent hypotheses generalize",
            r"If $D_k$ is defined and $\Pr[\mathrm{SOA}(S \circ T) = f] \ge 2^{-d}$, then "
            r"$\mathrm{loss}_D(f) \le d/n$.",
            checked=(LDIM, REALIZABLE, "D_k is defined"),
            assumed=(IID,),
            notes=(r"$\alpha = \mathrm{loss}_{\mathcal D}(h)$ in the proof is the loss of $f$.",),
        ),
        _record(
            "Alg Monte-Carlo D_k",
            "the distributions with a budget",
            r"As $D_k$, defined for every $k$; once more than $N$ examples of $D$ have been drawn "
            r"in all, the outcome is 'Fail'.",
            assumed=(IID,),
        ),
        _record(
            "Lemma 14",
            "examples drawn for D_k",
            r"If $D_k$ is defined, drawing from it takes at most $4^{k+1} n$ examples of $D$ on "
            r"average.",
            checked=("D_k is defined",),
            assumed=(IID,),
        ),
        _record(
            "Alg G",
            "the globally stable learner",
            r"With $n = \lceil d/\alpha \rceil$ and budget $N = 8^{d+1} n$: draw $k$ uniformly "
            r"from $0, \dots, d$, $S$ from the Monte-Carlo variant of $D_k$ and $T \sim D^n$; "
            r"return $\mathrm{SOA}(S \circ T)$.",
            checked=(LDIM,),
            assumed=(IID,),
            errata=(
                Erratum(
                    "imprecise or unspecified",
                    "Algorithm G",
                    r"Output $h = \text{SOA}(S \circ T)$, where $T \sim \mathcal{D}^n$ and $S "
                    r"\sim \tilde{\mathcal{D}}_k$.",
                    r"$S$ may be 'Fail', and what is returned then is not said; built is the "
                    r"SOA's rule before any example",
                ),
            ),
        ),
        _record(
            "Lemma 15",
            "stable histogram",
            r"From $O(\log(1/\eta\beta\delta)/(\eta\varepsilon))$ items, an "
            r"$(\varepsilon,\delta)$-private mechanism lists items with estimated frequencies such "
            r"that with probability $1-\beta$ every item of frequency at least $\eta$ is listed "
            r"and every estimate is right up to $\eta$.",
            constants=UNSPECIFIED + "; explicit in learners.mechanisms.histograms",
        ),
        _record(
            "Lemma 16",
            "generic private learner",
            r"From $O((\log \lvert H\rvert + \log(1/\beta))/(\alpha\varepsilon))$ examples of a "
            r"distribution for which some member of $H$ has loss at most $\alpha$, the exponential "
            r"mechanism is $\varepsilon$-private and finds with probability $1-\beta$ a member of "
            r"loss at most $2\alpha$.",
            checked=(
                "H is finite",
                "some member of H has loss at most alpha",
                "epsilon <= 1, as section 3.3 has it",
            ),
            assumed=(IID,),
            constants=UNSPECIFIED,
            notes=(
                r"That one sample 'changes the value of $\mathrm{loss}_S(h)$ by at most 1' is "
                r"used for $n\,\mathrm{loss}_S(h)$, which stands in the exponent.",
            ),
        ),
        _record(
            "Thm 17",
            "globally stable learners give private ones",
            r"If $G$ on $m$ examples of each realizable $D$ returns some $h$ of loss at most "
            r"$\alpha/2$ with probability at least $\eta$, then $M$ is $(\varepsilon,\delta)$-"
            r"private and has loss at most $\alpha$ with probability $1-\beta$, from "
            r"$O\bigl(m \log(1/\eta\beta\delta)/(\eta\varepsilon) + "
            r"\log(1/\eta\beta)/(\alpha\varepsilon)\bigr)$ examples.",
            checked=(REALIZABLE, "the probability and the loss of h"),
            assumed=(IID,),
            constants=UNSPECIFIED,
            errata=(
                Erratum(
                    "refuted",
                    "proof of Theorem 17",
                    r"with probability at least $1 - \beta/3$, $\left| \text{freq}_H(h) - \Pr_{S "
                    r"\sim \mathcal{D}^m} [G(S) = h] \right| \leq \frac{\eta}{8}$ for every $h "
                    r"\in \{\pm 1\}^X$ as long as $k \geq O(\log(1/\beta)/\eta)$",
                    r"for every $h$, $k$ has to grow like $\log(1/\beta)/\eta^2$; used is only "
                    r"$\text{freq}_H(h^*) \ge 7\eta/8$, for which $k \ge 128\ln(3/\beta)/\eta$ "
                    r"is enough. The theorem is not touched",
                    witness="private-pac: P[|frequency of h - 1/2| > eta/8], h of probability "
                    "1/2, k = C ln(3/beta)/eta",
                ),
            ),
            notes=(
                r"In the proof, step 2 succeeds with probability $1 - \beta/3$, as the algorithm "
                r"has it, and not $1 - \beta/2$; $h^*$ has loss at most $\alpha/2$, and what "
                r"step 3 finds at most $\alpha$.",
            ),
        ),
        _record(
            "Alg M",
            "the private learner",
            r"Run $G$ on $k$ fresh batches; list the frequent hypotheses by a stable histogram of "
            r"budget $(\varepsilon/2, \delta)$; choose from the list by the generic learner of "
            r"budget $\varepsilon/2$ on fresh examples.",
            assumed=(IID,),
            errata=(
                Erratum(
                    "imprecise or unspecified",
                    "Algorithm M, step 3",
                    r"Run GenericLearner($S'$) using the collection of hypotheses $L$",
                    r"$L$ may be empty, and what is returned then is not said; built is the "
                    r"SOA's rule before any example",
                ),
            ),
        ),
    ),
)
