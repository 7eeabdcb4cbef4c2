(** The Littlestone dimension of some classes, of all sizes, and of products. *)

From Coq Require Import List Bool Arith Lia.
From Lsclasses Require Import Ldim Rules.
Import ListNotations.

Set Implicit Arguments.

(** ** Ldim <= log2 |H| *)

Theorem ldim_le_log2 : forall pt row (ev : row -> pt -> bool) D (H : list row) d,
  is_ldim ev D (fun c => In c H) d -> d <= Nat.log2 (length H).
Proof.
  intros pt row ev D H d (shattered & _). apply shatters_sh, F4 in shattered.
  rewrite <- (Nat.log2_pow2 d) by lia. now apply Nat.log2_le_mono.
Qed.

(** ** Products: a concept of each class, on the points of both *)

Section Products.
Variables (pt1 row1 : Type) (ev1 : row1 -> pt1 -> bool) (D1 : pt1 -> Prop) (V1 : row1 -> Prop).
Variables (pt2 row2 : Type) (ev2 : row2 -> pt2 -> bool) (D2 : pt2 -> Prop) (V2 : row2 -> Prop).

Definition both (c : row1 * row2) (x : pt1 + pt2) : bool :=
  match x with inl x1 => ev1 (fst c) x1 | inr x2 => ev2 (snd c) x2 end.
Definition points (x : pt1 + pt2) : Prop :=
  match x with inl x1 => D1 x1 | inr x2 => D2 x2 end.
Definition product (U1 : row1 -> Prop) (U2 : row2 -> Prop) (c : row1 * row2) : Prop :=
  U1 (fst c) /\ U2 (snd c).

Lemma product_shatters : forall k1 U1 k2, sh ev1 D1 U1 k1 -> sh ev2 D2 V2 k2 ->
  sh both points (product U1 V2) (k1 + k2).
Proof.
  intros k1; induction k1 as [|k1 IH]; intros U1 k2 first second.
  - destruct first as (c1 & Uc1). revert second.
    apply (F5 (matching := fun x z b => z = inr x /\ D2 x /\ b = false)).
    + now intros x z b (same & Dx & _); subst z.
    + intros x Dx. right; exists x; split; [now exists (inr x), false|].
      exists false. intros c _. now destruct (ev2 c x).
    + intros c2 Vc2. exists (c1, c2); split; [now split|].
      intros x z b (same1 & _ & same2). subst z b. simpl. now destruct (ev2 c2 x).
  - destruct first as (x & Dx & sides). exists (inl x); split; [exact Dx|]. intros y.
    apply sh_mono with (3 := IH _ k2 (sides y) second); trivial.
    now intros (c1 & c2) ((Uc1 & label) & Vc2).
Qed.

(** The dimensions of a product add up; that they are not exceeded is F6. *)
Theorem ldim_product : forall d1 d2, is_ldim ev1 D1 V1 d1 -> is_ldim ev2 D2 V2 d2 ->
  is_ldim both points (product V1 V2) (d1 + d2).
Proof.
  intros d1 d2 (shattered1 & most1) (shattered2 & most2). split.
  - apply shatters_sh, product_shatters; now apply shatters_sh.
  - intros k shattered. apply shatters_sh in shattered.
    set (first := fun x : pt1 + pt2 => exists x1, x = inl x1 /\ D1 x1).
    set (second := fun x : pt1 + pt2 => exists x2, x = inr x2 /\ D2 x2).
    assert (k + length [(first, S d1); (second, S d2)] <= total [(first, S d1); (second, S d2)]);
      [|unfold total in *; simpl in *; lia].
    refine (F6 k (_ : covers both points (product V1 V2) (in_some _)) _ shattered).
    + intros x Dx. right; exists x; split; [|exists false; intros c _; now destruct (both c x)].
      destruct x as [x1|x2]; [exists (first, S d1); split; [now left|now exists x1]
                             |exists (second, S d2); split; [right; now left|now exists x2]].
    + intros g [same|[same|[]]]; subst g; cbn [fst snd]; intros deep.
      * assert (sh ev1 D1 V1 (S d1)).
        { revert deep. apply (F5 (matching := fun x z b => x = inl z /\ D1 z /\ b = false)).
          - now intros x z b (_ & Dz & _).
          - intros x (x1 & same & Dx1). right; exists x; split; [now exists x1, false|].
            exists false. intros c _. now destruct (both c x).
          - intros (c1 & c2) (Vc1 & Vc2). exists c1; split; [assumption|].
            intros x z b (same1 & _ & same2). subst x b. simpl. now destruct (ev1 c1 z). }
        assert (S d1 <= d1) by now apply most1, shatters_sh. lia.
      * assert (sh ev2 D2 V2 (S d2)).
        { revert deep. apply (F5 (matching := fun x z b => x = inr z /\ D2 z /\ b = false)).
          - now intros x z b (_ & Dz & _).
          - intros x (x2 & same & Dx2). right; exists x; split; [now exists x2, false|].
            exists false. intros c _. now destruct (both c x).
          - intros (c1 & c2) (Vc1 & Vc2). exists c2; split; [assumption|].
            intros x z b (same1 & _ & same2). subst x b. simpl. now destruct (ev2 c2 z). }
        assert (S d2 <= d2) by now apply most2, shatters_sh. lia.
Qed.
End Products.

(** ** Thresholds: the concept [t] labels [x] with 1 if [t <= x] *)

Lemma thresholds_shatter : forall k a,
  sh Nat.leb (fun x => a <= x < a + 2 ^ k - 1) (fun t => a <= t < a + 2 ^ k) k.
Proof.
  intros k; induction k as [|k IH]; intros a.
  - exists a. simpl. lia.
  - assert (some : 0 < 2 ^ k) by (apply Nat.neq_0_lt_0, Nat.pow_nonzero; lia).
    simpl Nat.pow. exists (a + 2 ^ k - 1); split; [lia|].
    intros [|].
    + apply sh_mono with (3 := IH a); [intros; lia|]. intros t within.
      split; [lia|]. apply Nat.leb_le. lia.
    + apply sh_mono with (3 := IH (a + 2 ^ k)); [intros; lia|]. intros t within.
      split; [lia|]. apply Nat.leb_gt. lia.
Qed.

(** The catalog's [thresholds:n]: the points 0, ..., n - 1 and the concepts 0, ..., n. *)
Theorem ldim_thresholds : forall n,
  is_ldim Nat.leb (fun x => x < n) (fun t => t <= n) (Nat.log2 (S n)).
Proof.
  intros n. split.
  - apply shatters_sh. assert (2 ^ Nat.log2 (S n) <= S n) by (apply Nat.log2_spec; lia).
    apply sh_mono with (3 := thresholds_shatter (Nat.log2 (S n)) 0); simpl; intros; lia.
  - intros k shattered. apply shatters_sh in shattered.
    assert (few : 2 ^ k <= length (seq 0 (S n))).
    { apply (F4 Nat.leb (fun x => x < n)). revert shattered. apply sh_mono; trivial.
      intros t le. apply in_seq. lia. }
    rewrite seq_length in few. rewrite <- (Nat.log2_pow2 k) by lia. now apply Nat.log2_le_mono.
Qed.

(** ** Point functions: the concept [c] labels [c] with 1, and all other points with 0 *)

(** The catalog's [points:n], from two points on. *)
Theorem ldim_points : forall n, 2 <= n ->
  is_ldim Nat.eqb (fun x => x < n) (fun c => c < n) 1.
Proof.
  intros n two. split.
  - apply shatters_sh. exists 0; split; [lia|]. intros [|]; [exists 0|exists 1]; split; trivial; lia.
  - intros k shattered. destruct (le_lt_dec k 1) as [|more]; [assumption|exfalso].
    apply shatters_sh in shattered. apply (F3 Nat.eqb _ _ more) in shattered.
    destruct shattered as (x & _ & sides). destruct (sides true) as (z & _ & both_).
    destruct (both_ true) as (c & (_ & one) & here), (both_ false) as (c' & (_ & one') & there).
    apply Nat.eqb_eq in one, one'. subst. congruence.
Qed.

(** ** A definition that is none *)

Section Branchwise.
Variables (pt row : Type) (ev : row -> pt -> bool).

(** Each branch has a concept of [V] of its own; [V] is not restricted on the way down. *)
Fixpoint branchwise (V : row -> Prop) (t : tree pt) : Prop :=
  match t with
  | Leaf => True
  | Node x zero one =>
    (exists c, V c /\ ev c x = false /\ branchwise V zero) /\
    (exists c, V c /\ ev c x = true /\ branchwise V one)
  end.
End Branchwise.

(** Two constant concepts would shatter trees of all depths; their dimension is 1. *)
Theorem branchwise_is_wrong :
  let constant := fun (c : bool) (x : nat) => c in
  let all := fun _ : bool => True in
  (forall k, exists t, complete (fun x => x < 1) k t /\ branchwise constant all t) /\
  is_ldim constant (fun x => x < 1) all 1.
Proof.
  intros constant_ all_. split.
  - intros k; induction k as [|k (t & deep & shattered)]; [now exists Leaf|].
    exists (Node 0 t t). split; [split; [lia|now split]|].
    split; [exists false|exists true]; now repeat split.
  - split.
    + apply shatters_sh. exists 0; split; [lia|]. intros y. now exists y.
    + intros k shattered. apply shatters_sh in shattered.
      assert (2 ^ k <= length [false; true]).
      { apply (F4 constant_ (fun x => x < 1)). revert shattered. apply sh_mono; trivial.
        intros [|] _; simpl; auto. }
      destruct k as [|[|k]]; [lia|lia|exfalso]. simpl in *.
      assert (1 <= 2 ^ k) by (apply Nat.neq_0_lt_0, Nat.pow_nonzero; lia). lia.
Qed.
