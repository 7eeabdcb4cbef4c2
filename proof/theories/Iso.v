(** The Littlestone dimension stays the same when points are renamed, or repeated, and columns are
    complemented; the two classes need not be written down alike. *)

From Coq Require Import Bool.
From Lsclasses Require Import Ldim.

Set Implicit Arguments.

Section Iso.
Variables (pt row : Type) (ev : row -> pt -> bool) (D : pt -> Prop) (V : row -> Prop).
Variables (pt' row' : Type) (ev' : row' -> pt' -> bool) (E : pt' -> Prop) (W : row' -> Prop).
Variables (f : pt -> pt') (flip : pt -> bool).

Hypothesis into : forall x, D x -> E (f x).
Hypothesis onto : forall z, E z -> exists x, D x /\ f x = z.

Definition same (c : row) (c' : row') : Prop :=
  forall x, D x -> ev' c' (f x) = xorb (ev c x) (flip x).
Hypothesis there : forall c, V c -> exists c', W c' /\ same c c'.
Hypothesis back : forall c', W c' -> exists c, V c /\ same c c'.

Lemma sh_iso : forall k, sh ev D V k <-> sh ev' E W k.
Proof.
  intros k; split.
  - apply (F5 (matching := fun x z b => D x /\ z = f x /\ b = flip x)).
    + intros x z b (Dx & same_ & _). subst z. now apply into.
    + intros x Dx. right; exists x; split; [now exists (f x), (flip x)|].
      exists false. intros c _. now destruct (ev c x).
    + intros c Vc. destruct (there Vc) as (c' & Wc' & agree). exists c'; split; [assumption|].
      intros x z b (Dx & same1 & same2). subst z b. now apply agree.
  - apply (F5 (matching := fun z x b => D x /\ z = f x /\ b = flip x)).
    + now intros z x b (Dx & _).
    + intros z Ez. right. destruct (onto Ez) as (x & Dx & same_). subst z.
      exists (f x); split; [now exists x, (flip x)|].
      exists false. intros c' _. now destruct (ev' c' (f x)).
    + intros c' Wc'. destruct (back Wc') as (c & Vc & agree). exists c; split; [assumption|].
      intros z x b (Dx & same1 & same2). subst z b. rewrite (agree x Dx).
      now destruct (ev c x), (flip x).
Qed.

Theorem ldim_iso : forall d, is_ldim ev D V d <-> is_ldim ev' E W d.
Proof.
  intros d. unfold is_ldim.
  split; intros (reached & most); (split; [apply shatters_sh, sh_iso, shatters_sh; assumption|]);
    intros k shattered; apply most, shatters_sh, sh_iso, shatters_sh; assumption.
Qed.
End Iso.
