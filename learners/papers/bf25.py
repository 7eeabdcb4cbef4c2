"""Bun, Fang: Privately learning decision lists and a differentially private Winnow."""

from __future__ import annotations

from functools import partial

from learners.papers.statement import UNSPECIFIED, Erratum, Paper, Statement

__all__ = ["BF25"]

_record = partial(Statement, "BF25")

IID = "the examples are independent draws from one distribution"
LABELLED = "the sample is labelled by an F-decision list"
OBLIVIOUS = "the stream was fixed before the first round (oblivious adversary)"
MARGIN = "all examples have the margin rho"
REPLACED = "the samples have the same length and differ in one example"

BF25 = Paper(
    "BF25",
    (
        _record(
            "Thm 1.1",
            "private decision lists, informal",
            r"$F$-decision lists have an $(\varepsilon,\delta)$-private learner with "
            r"$\tilde O(\lvert F\rvert \log(1/\delta)/\varepsilon)$ examples and running time "
            r"polynomial in $\lvert F\rvert$.",
            checked=(LABELLED,),
            assumed=(IID,),
            constants=UNSPECIFIED + "; explicit in Theorem 3.5",
        ),
        _record(
            "Thm 1.2",
            "private halfspaces, informal",
            r"Halfspaces with margin $\rho$ have an $(\varepsilon,\delta)$-private online learner "
            r"with $O(\mathrm{polylog}(d, T, 1/\delta)/(\rho^6\varepsilon^4))$ mistakes against "
            r"oblivious adversaries.",
            checked=(MARGIN,),
            assumed=(OBLIVIOUS,),
            constants=UNSPECIFIED + "; explicit in Theorem 4.5",
        ),
        _record(
            "Prop 2.1",
            "exponential mechanism",
            r"Choosing $h$ with probability proportional to $\exp(\varepsilon q(S,h)/2)$, $q$ of "
            r"sensitivity 1, is $\varepsilon$-private and gives $q(S,h) \ge \max q - "
            r"\tfrac2\varepsilon(\ln\lvert H\rvert + \tau)$ with probability $1 - e^{-\tau}$.",
            checked=("scores have sensitivity 1",),
        ),
        _record(
            "Def 3.1",
            "private learning",
            r"A learner $L$ is $(\varepsilon,\delta)$-private if $\Pr[L(S) \in R] \le "
            r"e^\varepsilon \Pr[L(S') \in R] + \delta$ for all samples that differ in one example "
            r"and all sets $R$ of hypotheses.",
            checked=(REPLACED,),
        ),
        _record(
            "Def 3.2",
            "PAC learner",
            r"$L$ is an $(\alpha,\beta)$-PAC learner with $n$ examples if for every distribution "
            r"and every target in the class its hypothesis has error at most $\alpha$ with "
            r"probability at least $1-\beta$.",
            checked=("the labels are those of a concept of the class",),
            assumed=(IID,),
        ),
        _record(
            "Alg 3.1",
            "DP-GreedyCover",
            r"In each of $M$ rounds choose a feature and a bit by the exponential mechanism with "
            r"score minus the number of remaining examples that have the feature and the other "
            r"label; remove the examples that have the feature, and the feature.",
            errata=(
                Erratum(
                    "imprecise or unspecified",
                    "Algorithm 3.1",
                    r"Let $\mathcal{F}_{1}=\mathcal{F}$ together with the constant true function "
                    r"$T$",
                    r"$M = \lvert\mathcal{F}\rvert$ rounds, as in Theorem 3.5, are enough if $T$ "
                    r"is one of the features; if it is added, there is one more to choose from, "
                    r"and $T$ may be left over, with rows that no rule decides. Built are rounds "
                    r"until $T$ is chosen",
                ),
            ),
        ),
        _record(
            "Prop 3.3",
            "covering stays consistent",
            r"If the sample is labelled by an $F$-decision list, then in each round some list over "
            r"the remaining features fits the remaining examples.",
            checked=(LABELLED,),
        ),
        _record(
            "Thm 3.5",
            "private decision lists",
            r"With $M = \lvert F\rvert$, $F$-decision lists have an $(\varepsilon,\delta)$-private "
            r"$(\alpha,\beta)$-PAC learner with $n \ge \max\bigl(\tfrac{64}{\alpha}(\mathrm{VC} "
            r"\log\tfrac{64}{\alpha} + \log\tfrac{16}{\beta}), \tfrac{8M\log(2M/\sqrt\beta)"
            r"(2\log\frac1\delta + \frac32)}{\alpha\varepsilon}\bigr)$ examples.",
            checked=(LABELLED,),
            assumed=(IID,),
            errata=(
                Erratum(
                    "gap in a proof",
                    "proof of Theorem 3.5",
                    r"$n\geq\frac{8M\log(\frac{2M}{\sqrt{\beta}})}{\hat{\varepsilon}\alpha}=\frac{8M\log(\frac{2M}{\sqrt{\beta}})(2\log(\frac{1}{\delta})+\frac{3}{2})}{\alpha\varepsilon}$",
                    r"$\hat\varepsilon = \varepsilon/(2(\log(1/\delta) + 3/2))$ gives "
                    r"$2\log(1/\delta) + 3$; and there are two failures of probability $\beta$. "
                    r"The theorem is true: about a tenth of these examples is proved to be "
                    r"enough here",
                ),
                Erratum(
                    "gap in a proof",
                    "proof of Theorem 3.5",
                    r"By Claim A.1, $A$ is $(\varepsilon,\delta)$-DP.",
                    r"Lemma A.1 is about one item more or less and its proof about weights "
                    r"$e^{\varepsilon q}$, where Definition 3.1 replaces an example and section "
                    r"2 has weights $e^{\varepsilon q/2}$. That $A$ is private is true, by "
                    r"another proof",
                ),
            ),
        ),
        _record(
            "Def 4.1",
            "private online learning, oblivious",
            r"An online learner is $(\varepsilon,\delta)$-private if the sequence of its "
            r"hypotheses is, for all streams that differ in one example.",
            checked=(REPLACED,),
            assumed=(OBLIVIOUS,),
        ),
        _record(
            "Alg 4.1",
            "ConfidentWinnow",
            r"Winnow with weights that sum to 1. After a mistake the weights are updated; after a "
            r"prediction with $\lvert\langle w, x\rangle\rvert < c\rho$ they are if the adversary "
            r"says so.",
        ),
        _record(
            "Lemma 4.2",
            "updates of ConfidentWinnow",
            r"If some $v \ge 0$ with $\lVert v\rVert_1 = 1$ has $y\langle v, x\rangle \ge \rho$ on "
            r"all examples, then with rate $\eta$ and ratio $c$ ConfidentWinnow makes at most "
            r"$\ln d/((1-c)\eta\rho - \eta^2/2)$ updates.",
            checked=(MARGIN, "eta < 2(1 - c) rho"),
            notes=(r"Hoeffding's lemma, in appendix B, has an equality sign for an inequality.",),
        ),
        _record(
            "Lemma 4.3",
            "AboveThreshold",
            r"An $\varepsilon$-private AboveThreshold tells, with probability $1-\beta$, a first "
            r"query that is at least $L - \alpha$, after queries of at most $L + \alpha$, where "
            r"$\alpha = 8\ln(2T/\beta)/\varepsilon$.",
            checked=("queries have sensitivity 1",),
        ),
        _record(
            "Alg 4.2",
            "DP-Winnow",
            r"Publish $m$ experts drawn from the weights; cache their mistakes; when "
            r"AboveThreshold says that there are about $L$ of them, update the weights by the "
            r"first cached example, draw anew, and start over, at most $K$ times.",
            checked=(MARGIN,),
            errata=(
                Erratum(
                    "imprecise or unspecified",
                    "Algorithm 4.2",
                    r"$Q.\mathsf{TestAboveThr()}$ and $k<K$",
                    r"the test is asked, and used up, before $k < K$ is; $w^{(t)}$ is not "
                    r"defined after rounds without an update, nor the sign of 0, nor the first "
                    r"example of an empty cache",
                ),
            ),
        ),
        _record(
            "Thm 4.4",
            "privacy of DP-Winnow",
            r"With $\hat\varepsilon = \varepsilon/(4\sqrt{2K\ln(2/\delta)})$ and $\eta = "
            r"\varepsilon/(8\sqrt{2mK\ln(2/\delta)})$, DP-Winnow is $(\varepsilon,\delta)$-"
            r"private.",
            checked=(REPLACED, "epsilon < 1", "delta < 1"),
            errata=(
                Erratum(
                    "refuted",
                    "proof of Theorem 4.4, appendix C",
                    r"Thus, drawing a single sample $j_{i}$ is $(2\eta)$-differentially private.",
                    r"$4\eta$ under Definition 4.1, which replaces an example: an entry of the "
                    r"score changes by up to 2. The theorem is true, as its $\eta$ leaves room",
                    witness="winnow: privacy loss of a drawn expert, an example replaced",
                ),
            ),
        ),
        _record(
            "Thm 4.5",
            "mistakes of DP-Winnow",
            r"With $m = 2\ln(2T/\beta)/\rho^2$, $L = 8\ln(2T/\beta)/\hat\varepsilon$ and $K$, "
            r"$\eta$ to match, DP-Winnow makes with probability $1-2\beta$ at most $\tilde O\bigl("
            r"\log^3 d\,\log^{5/2}(T/\beta)\log^2(1/\delta)/(\varepsilon^4\rho^6)\bigr)$ mistakes.",
            checked=(MARGIN,),
            assumed=(OBLIVIOUS,),
            constants=UNSPECIFIED + "; (K + 1)(L + a + 1) mistakes, explicit in "
            "learners.winnow.plan",
            errata=(
                Erratum(
                    "imprecise or unspecified",
                    "Theorem 4.5",
                    r"$m=2\log(2T/\beta)/\rho^{2}$",
                    r"Lemma 4.6 and the proof have $2\log(2T/\beta)/(c\rho)^2$, four times as "
                    r"much at $c = 1/2$",
                ),
                Erratum(
                    "imprecise or unspecified",
                    "Theorem 4.5",
                    r"$L=\frac{8\log(2T/\beta)}{\hat{\varepsilon}}$",
                    r"AboveThreshold with failure probability $\beta/T$ is accurate to "
                    r"$8\log(2T^2/\beta)/\hat\varepsilon > L$, so that a phase may end with an "
                    r"empty cache; here $L$ exceeds the accuracy",
                ),
                Erratum(
                    "imprecise or unspecified",
                    "proof of Theorem 4.5",
                    r"Fix $c=1/2$",
                    r"Lemma 4.2 is stated for $c < 1/2$; it is true for $c < 1$ and $\eta < 2(1 "
                    r"- c)\rho$",
                ),
            ),
        ),
        _record(
            "Lemma 4.6",
            "samples agree with weights",
            r"If $\lvert\langle w, x\rangle\rvert \ge c\rho$ and $m \ge \tfrac{2}{c^2\rho^2}\ln"
            r"(2T/\beta)$, then the mean of $m$ experts drawn from $w$ has the same sign at $x$ "
            r"with probability $1 - \beta/T$.",
            checked=("w is a probability vector", "|<w, x>| >= c rho"),
        ),
        _record(
            "Lemma 4.7",
            "updates of DP-Winnow",
            r"With probability $1-\beta$, DP-Winnow makes fewer than $\ln d/((1-c)\eta\rho - "
            r"\eta^2/2)$ updates on every stream with margin $\rho$.",
            checked=(MARGIN,),
            assumed=(OBLIVIOUS,),
            errata=(
                Erratum(
                    "gap in a proof",
                    "proof of Lemma 4.7",
                    r"By Lemma 4.6, with probability at least $1-\beta$, we must have $\langle "
                    r"w^{(t)},x^{(t)}\rangle\cdot y^{(t)}\leq c\rho$ for all of these candidates.",
                    r"Lemma 4.6 is about a fresh sample, and the hypothesis in force has "
                    r"survived until round $t$; given that, it may err more often. A union over "
                    r"pairs of a hypothesis and a round takes $m \ge 2\ln(2UT/\beta)/(c\rho)^2$, "
                    r"$U$ the bound on updates",
                ),
            ),
        ),
        _record(
            "Lemma 4.10",
            "decision lists as halfspaces",
            r"A monotone 1-decision list of length $r$ with $D$ alternations is a halfspace of "
            r"margin $\Omega(1/r^D)$ in $d + 1$ variables.",
            checked=("the length and the alternations of the list",),
            constants=UNSPECIFIED + "; 1/(2(n_1 + 1)...(n_D + 1) - 1) for runs of n_1, ..., n_D "
            "rules is proved here",
        ),
        _record(
            "Thm 4.11",
            "private online decision lists",
            r"DP-Winnow learns monotone 1-decision lists of length $r$ with $D$ alternations with "
            r"$\tilde O\bigl(r^{6D}\log^3 d\,\log^{5/2}(T/\beta)\log^2(1/\delta)/\varepsilon^4"
            r"\bigr)$ mistakes, with probability $1 - O(\beta)$.",
            checked=("the length and the alternations of the list",),
            assumed=(OBLIVIOUS,),
            constants=UNSPECIFIED + "; the bound of Theorem 4.5 at the margin of Lemma 4.10",
        ),
        _record(
            "Thm 4.12",
            "private online lists over features",
            r"The same for $F$-decision lists with $\lvert F\rvert$ for $d$.",
            checked=("the length and the alternations of the list",),
            assumed=(OBLIVIOUS,),
            constants=UNSPECIFIED + "; as for Theorem 4.11",
        ),
        _record(
            "Sec 4.4, embedding",
            "point functions as halfspaces",
            r"The point $x \in [T]$ becomes $(1, \dots, -1, \dots, 1)$ with $-1$ in place $x$ and "
            r"the point function at $t$ the halfspace with weights $e_t$, of margin 1.",
            errata=(
                Erratum(
                    "imprecise or unspecified",
                    "section 4.4",
                    r"mapping each function $p_{t}$ to the halfspace whose weight vector is the "
                    r"$t$'th standard basis vector",
                    r"this halfspace is $-1$ at the image of $t$ and $1$ elsewhere: all labels "
                    r"are reversed, which the lower bound does not mind",
                ),
            ),
        ),
        _record(
            "Sec 4.4, lower bound",
            "mistakes grow with log T",
            r"Every $(1/2, 1/(20 \log T))$-private online learner of point functions on $[T]$ "
            r"makes $\Omega(\log T)$ mistakes on some stream of length $T$.",
            constants=UNSPECIFIED,
            undecidable="A quoted lower bound for all private learners, with a constant that is "
            "not given.",
        ),
        _record(
            "Alg A.1",
            "EMCover",
            r"In each round choose a score function, by what was chosen before, and a candidate by "
            r"the exponential mechanism; remove the items that it covers.",
        ),
        _record(
            "Lemma A.1",
            "EMCover is private",
            r"If an item changes the scores of candidates that cover it by at most 1 and no other "
            r"scores, EMCover is $(2\varepsilon(\ln(1/\delta) + \tfrac32), \delta)$-private.",
            checked=("an item changes only scores of candidates that cover it, by at most 1",),
            errata=(
                Erratum(
                    "refuted",
                    "Lemma A.1",
                    r"then for every $\delta>0$, algorithm $\mathsf{EMCover}$ is "
                    r"$(2\varepsilon(\ln(1/\delta)+\frac{3}{2}),\delta)$-differentially private",
                    r"with the weights $e^{\varepsilon q/2}$ of section 2 true for $\varepsilon "
                    r"\le 4.67$ and false at $\varepsilon = 8$. The proof is for weights "
                    r"$e^{\varepsilon q}$ and uses $1 + (e^\varepsilon - 1)x \le e^{2\varepsilon "
                    r"x}$, which holds for $\varepsilon \le 1.256$ only",
                    witness="greedy-cover: P[an item is never covered]",
                ),
            ),
        ),
        _record(
            "Lemma A.3",
            "a martingale",
            r"If an adversary chooses $p_i$ by the outcomes so far and a coin of bias $p_i$ is "
            r"tossed, then $Y$, the sum of the $p_i$ up to the first heads, has $\Pr[Y > y] \le "
            r"e^{-y}$.",
        ),
        _record(
            "Lemma A.4",
            "errors on the sample",
            r"If the labels are those of an $F$-decision list, then with probability $1-\beta$ "
            r"DP-GreedyCover errs on at most $\tfrac{4M}{\varepsilon}\ln(M\sqrt{2/\beta})$ "
            r"examples.",
            checked=(LABELLED,),
            notes=(
                r"In the first display of the proof, the relation between $q$ and its maximum is "
                r"that of the complement, which the next display has.",
            ),
        ),
        _record(
            "Thm A.6",
            "VC generalization",
            r"With $n \ge \tfrac{64}{\alpha}(\mathrm{VC}\log\tfrac{64}{\alpha} + "
            r"\log\tfrac{16}{\beta})$ examples, with probability $1-\beta$ no concept has error "
            r"more than $\alpha$ and empirical error at most $\alpha/2$.",
            checked=("the class has VC dimension VC",),
            assumed=(IID,),
        ),
        _record(
            "Cor A.8",
            "private k-decision lists",
            r"$k$-decision lists have an $(\varepsilon,\delta)$-private $(\alpha,\beta)$-PAC "
            r"learner with $O(d^k \log(d^k/\beta)\log(1/\delta)/(\alpha\varepsilon))$ examples.",
            checked=("the labels are those of a k-decision list",),
            assumed=(IID,),
            constants=UNSPECIFIED + "; explicit in learners.rules.sample_size",
        ),
        _record(
            "Prop A.9",
            "number of conjunctions",
            r"There are at most $e^2 d^k$ conjunctions of at most $k$ literals over $d$ variables.",
            checked=("k <= d",),
        ),
    ),
)
