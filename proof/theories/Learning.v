(** What the Littlestone dimension means for learning online, and so what a certificate of it means.

    A learner predicts the label of a point from the examples before it, the latest one first. *)

From Coq Require Import List Bool Arith PArith Lia.
From Lsclasses Require Import Ldim Rules Check.
Import ListNotations.

Set Implicit Arguments.

(* begin definitions *)
Section Definitions.
Variables (pt row : Type) (ev : row -> pt -> bool).

Definition example : Type := (pt * bool)%type.
Definition learner : Type := list example -> pt -> bool.

(** How often [A] errs on the examples [s], after those of [past]. *)
Fixpoint mistakes (A : learner) (past s : list example) : nat :=
  match s with
  | [] => 0
  | (x, y) :: s' => (if eqb (A past x) y then 0 else 1) + mistakes A ((x, y) :: past) s'
  end.

(** Some concept gives all points of the examples their labels; the points are in [D]. *)
Definition realizable (D : pt -> Prop) (V : row -> Prop) (s : list example) : Prop :=
  (exists c, V c /\ forall x y, In (x, y) s -> ev c x = y) /\ forall x y, In (x, y) s -> D x.
End Definitions.
(* end definitions *)

(** ** Every learner errs that often *)

Section Adversary.
Variables (pt row : Type) (ev : row -> pt -> bool) (D : pt -> Prop).

Lemma adversary : forall k (V : row -> Prop), sh ev D V k ->
  forall (A : learner pt) past, exists s,
    length s = k /\ realizable ev D V s /\ mistakes A past s = k.
Proof.
  intros k; induction k as [|k IH]; intros V shattered A past.
  - destruct shattered as (c & Vc). exists []. repeat split; try contradiction.
    exists c. split; [assumption|contradiction].
  - destruct shattered as (x & Dx & sides). set (y := negb (A past x)).
    destruct (IH _ (sides y) A ((x, y) :: past)) as (s & len & ((c & (Vc & label_) & fits) & ins) & errs).
    exists ((x, y) :: s). split; [simpl; congruence|]. split.
    + split.
      * exists c; split; [assumption|]. intros x' y' [same|is]; [|auto]. now inversion same; subst.
      * intros x' y' [same|is]; [now inversion same; subst|eauto].
    + simpl. rewrite errs. subst y. now destruct (A past x).
Qed.

(** Of any class, finite or not. *)
Theorem every_learner_errs : forall V d, is_ldim ev D V d ->
  forall A : learner pt, exists s,
    length s = d /\ realizable ev D V s /\ mistakes A [] s = d.
Proof. intros V d (shattered & _) A. now apply adversary, shatters_sh. Qed.
End Adversary.

(** ** The Standard Optimal Algorithm errs no more often *)

Section SOA.
Variables (pt row : Type) (ev : row -> pt -> bool) (dom : list pt).
Notation D := (fun x => In x dom).
Notation sh := (sh ev D).
Notation pick := (pick ev).

(** Whether a class shatters depth [k]; by trying. *)
Fixpoint shb (k : nat) (V : list row) : bool :=
  match k with
  | O => match V with [] => false | _ => true end
  | S k' => existsb (fun x => shb k' (pick x false V) && shb k' (pick x true V)) dom
  end.

Lemma shb_ok : forall k V, shb k V = true <-> sh (members V) k.
Proof.
  intros k; induction k as [|k IH]; intros V; simpl.
  - destruct V as [|c V]; split; try discriminate; trivial.
    + now intros (c & []).
    + intros _. exists c; now left.
  - rewrite existsb_exists. split.
    + intros (x & is & both). apply andb_prop in both. destruct both as (zero & one).
      exists x; split; [assumption|]. intros [|]; now apply pick_sh, IH.
    + intros (x & is & sides). exists x; split; [assumption|].
      apply andb_true_intro. split; now apply IH, pick_sh.
Qed.

(** The number of depths that a class shatters: one more than its Littlestone dimension. *)
Fixpoint depths (fuel k : nat) (V : list row) : nat :=
  match fuel with
  | O => k
  | S fuel' => if shb k V then depths fuel' (S k) V else k
  end.
Definition rank (V : list row) : nat := depths (length V) 0 V.

Lemma depths_ok : forall fuel k V, (forall j, j < k -> shb j V = true) ->
  (forall j, j < depths fuel k V -> shb j V = true) /\
  (shb (depths fuel k V) V = false \/ depths fuel k V = k + fuel).
Proof.
  intros fuel; induction fuel as [|fuel IH]; intros k V below; simpl.
  - split; [assumption|right; lia].
  - destruct (shb k V) eqn:here.
    + destruct (IH (S k) V) as (all & last).
      * intros j lt. destruct (Nat.eq_dec j k); [now subst|apply below; lia].
      * split; [assumption|]. destruct last; [now left|right; lia].
    + split; [assumption|now left].
Qed.

Lemma rank_ok : forall k V, sh (members V) k <-> k < rank V.
Proof.
  intros k V. destruct (@depths_ok (length V) 0 V) as (all & last); [lia|]. fold (rank V) in *.
  split.
  - intros shattered. destruct (le_lt_dec (rank V) k) as [le|lt]; [exfalso|assumption].
    assert (deep : sh (members V) (rank V)) by (apply F3 with k; assumption).
    destruct last as [none|full].
    + apply shb_ok in deep. congruence.
    + generalize (F4 _ _ _ _ deep) (Nat.pow_gt_lin_r 2 (rank V)). lia.
  - intros lt. now apply shb_ok, all.
Qed.

Lemma ldim_rank : forall V d, is_ldim ev D (members V) d <-> rank V = S d.
Proof.
  intros V d. split.
  - intros (shattered & most). apply shatters_sh, rank_ok in shattered.
    destruct (Nat.eq_dec (rank V) (S d)) as [|other]; [assumption|].
    assert (sh (members V) (S d)) by (apply rank_ok; lia).
    assert (S d <= d) by now apply most, shatters_sh. lia.
  - intros same. split; [apply shatters_sh, rank_ok; lia|].
    intros k shattered. apply shatters_sh, rank_ok in shattered. lia.
Qed.

(** The version space after some examples. *)
Definition left_of (V : list row) (past : list (example pt)) : list row :=
  fold_right (fun e U => pick (fst e) (snd e) U) V past.

(** The label whose side of the version space has the larger dimension; if they are equal, 0. *)
Definition soa (V : list row) : learner pt := fun past x =>
  let U := left_of V past in rank (pick x false U) <? rank (pick x true U).

Lemma rank_mono : forall U V, (forall c, In c U -> In c V) -> rank U <= rank V.
Proof.
  intros U V part. destruct (rank U) as [|k] eqn:deep; [lia|].
  apply rank_ok. assert (deep' : sh (members U) k) by (apply rank_ok; lia).
  revert deep'. now apply sh_mono.
Qed.

(** Both sides of a point in the domain cannot be as deep as the class. *)
Lemma rank_sides : forall x V y, In x dom -> rank (pick x y V) <= rank (pick x (negb y) V) ->
  0 < rank (pick x y V) -> rank (pick x y V) < rank V.
Proof.
  intros x V y is le some. destruct (rank (pick x y V)) as [|k] eqn:deep; [lia|].
  apply rank_ok. exists x; split; [assumption|]. intros y'. apply pick_sh, rank_ok.
  destruct (bool_dec y' y) as [same|other]; [subst; lia|].
  assert (y' = negb y) by (destruct y, y'; simpl; congruence). subst y'. lia.
Qed.

Lemma soa_bound : forall V s past,
  realizable ev D (members (left_of V past)) s ->
  mistakes (soa V) past s < rank (left_of V past).
Proof.
  intros V s; induction s as [|(x, y) s IH]; intros past ((c & is & fits) & ins).
  - simpl. apply rank_ok. now exists c.
  - simpl. set (U := left_of V past) in *.
    assert (label_ : ev c x = y) by (apply fits; now left).
    assert (is' : In c (pick x y U)) by now apply pick_ok.
    assert (rest : mistakes (soa V) ((x, y) :: past) s < rank (pick x y U)).
    { apply (IH ((x, y) :: past)). split.
      - exists c; split; [assumption|]. intros x' y' here. apply fits. now right.
      - intros x' y' here. apply (ins x' y'). now right. }
    assert (part : rank (pick x y U) <= rank U).
    { apply rank_mono. intros c'. rewrite pick_ok. now intros (inside_ & _). }
    destruct (eqb (soa V past x) y) eqn:right_; [lia|]. apply eqb_false_iff in right_.
    assert (rank (pick x y U) < rank U); [|lia].
    apply rank_sides; [apply (ins x y); now left| |lia].
    unfold soa in right_. fold U in right_.
    destruct (Nat.ltb_spec (rank (pick x false U)) (rank (pick x true U))); destruct y; simpl; try lia;
      now elim right_.
Qed.

Theorem soa_errs_at_most : forall V d, is_ldim ev D (members V) d ->
  forall s, realizable ev D (members V) s -> mistakes (soa V) [] s <= d.
Proof.
  intros V d dimension s fits. apply ldim_rank in dimension.
  generalize (@soa_bound V s [] fits). simpl. lia.
Qed.
End SOA.

(** ** What an accepted certificate means *)

Section Certified.
Variables (pt row : Type) (ev : row -> pt -> bool) (key : pt -> positive).
Hypothesis key_inj : forall x z, key x = key z -> x = z.
Variables (dom : list pt) (C : list row).
Notation D := (fun x => In x dom).

(** The optimal mistake bound is the dimension that the certificate is for. *)
Theorem certified_mistake_bound : forall t u, check ev key dom C (LdimIs t u) = true ->
  (forall A : learner pt, exists s,
    realizable ev D (members C) s /\ mistakes A [] s = deep t) /\
  (forall s, realizable ev D (members C) s -> mistakes (soa ev dom C) [] s <= deep t).
Proof.
  intros t u ok. apply check_sound in ok; [|assumption]. split.
  - intros A. destruct (every_learner_errs ok A) as (s & _ & fits & errs). now exists s.
  - now apply soa_errs_at_most.
Qed.
End Certified.
