(* lsclasses: Ldim = 5 and VCdim = 4 of decision-lists:n=3, 96 concepts on 8 points.
   Check this file: coqc FILE.v (Coq 8.16 or later, standard library only). *)

From Coq Require Import Ascii String List Bool Arith Lia.
Import ListNotations.

(** * Definitions *)

(* A concept is a string of digits. Digit x, counted from 0, is the label of the point x. *)
Definition concept := string.
Definition label (c : concept) (x : nat) : bool :=
  match String.get x c with Some digit => Ascii.eqb digit "1" | None => false end.

(* The label 0 of the point x leads to the subtree zero, the label 1 to the subtree one. *)
Inductive tree := leaf | node (x : nat) (zero one : tree).

(* Every branch of the tree has d points, and all points are less than n. *)
Fixpoint complete (n d : nat) (t : tree) : Prop :=
  match t, d with
  | leaf, 0 => True
  | node x zero one, S d => x < n /\ complete n d zero /\ complete n d one
  | _, _ => False
  end.

(* The branch with the labels p exists, and the concept c has these labels at its points. *)
Fixpoint follows (c : concept) (p : list bool) (t : tree) : Prop :=
  match t, p with
  | leaf, [] => True
  | node x zero one, y :: p => label c x = y /\ follows c p (if y then one else zero)
  | _, _ => False
  end.

(* C shatters the tree t of depth d: for every branch, some concept of C follows the branch. *)
Definition shatters_tree (n : nat) (C : list concept) (t : tree) (d : nat) : Prop :=
  complete n d t /\ forall p, length p = d -> exists c, In c C /\ follows c p t.

(* The Littlestone dimension of the concepts C on the points 0, ..., n - 1 is d. *)
Definition is_ldim (n : nat) (C : list concept) (d : nat) : Prop :=
  (exists t, shatters_tree n C t d) /\ forall t k, shatters_tree n C t k -> k <= d.

(* For every labelling f of the set X of points, some concept of C agrees with f on X. *)
Definition shatters_set (C : list concept) (X : list nat) : Prop :=
  forall f : nat -> bool, exists c, In c C /\ forall x, In x X -> label c x = f x.

(* The VC dimension of the concepts C on the points 0, ..., n - 1 is d. *)
Definition is_vcdim (n : nat) (C : list concept) (d : nat) : Prop :=
  (exists X, NoDup X /\ incl X (seq 0 n) /\ shatters_set C X /\ length X = d) /\
  forall X, NoDup X -> incl X (seq 0 n) -> shatters_set C X -> length X <= d.

(** * Checker *)
Definition side (V : list concept) (x : nat) (y : bool) : list concept :=
  filter (fun c => Bool.eqb (label c x) y) V.
Definition fewer (V : list concept) (k : nat) : bool := length V <? 2 ^ k.

Fixpoint check_tree (n : nat) (V : list concept) (t : tree) (d : nat) : bool :=
  match t, d with
  | leaf, 0 => negb (fewer V 0)
  | node x zero one, S d =>
      (x <? n) && check_tree n (side V x false) zero d && check_tree n (side V x true) one d
  | _, _ => false
  end.

(* An entry of a failure DAG claims that the concepts with the given labels shatter no tree of depth
   S fails. For each point x, a step names a side y that shatters no tree of depth fails, because
   it has too few concepts, or because it is a part of the concepts of the entry j lines below. *)
Inductive step := Count (y : bool) | Below (y : bool) (j : nat).
Record entry := Entry { given : list (nat * bool); fails : nat; steps : list step }.
Definition agrees (e : entry) (c : concept) : bool :=
  forallb (fun '(x, y) => Bool.eqb (label c x) y) (given e).
Definition check_step (V : list concept) (k x : nat) (s : step) (below : list entry) : bool :=
  match s with
  | Count y => fewer (side V x y) k
  | Below y j =>
      match nth_error below (j - 1) with None => false
      | Some e => (S (fails e) =? k) && forallb (agrees e) (side V x y) end
  end.
Fixpoint check_dag (n : nat) (C : list concept) (dag : list entry) : bool :=
  match dag with
  | [] => true
  | e :: below => check_dag n C below &&
      let V := filter (agrees e) C in
      forallb (fun x => check_step V (fails e) x (nth x (steps e) (Count false)) below) (seq 0 n)
  end.
Definition check_ldim (n : nat) (C : list concept) (t : tree) (dag : list entry) (d : nat) : bool :=
  check_tree n C t d && check_dag n C dag &&
  match dag with [] => fewer C (S d) | e :: _ => (fails e =? d) && forallb (agrees e) C end.

Fixpoint check_set (V : list concept) (X : list nat) : bool :=
  match X with
  | [] => negb (fewer V 0)
  | x :: X => check_set (side V x false) X && check_set (side V x true) X
  end.
(* No set of k of the points xs is shattered by every cell. *)
Fixpoint no_set (xs : list nat) (k : nat) (cells : list (list concept)) : bool :=
  existsb (fun V => fewer V k) cells ||
  match xs, k with
  | _, 0 => false | [], _ => true
  | x :: xs, S k' => no_set xs k cells &&
      no_set xs k' (flat_map (fun V => [side V x false; side V x true]) cells)
  end.
Definition check_vcdim (n : nat) (C : list concept) (X : list nat) (d : nat) : bool :=
  (if list_eq_dec Nat.eq_dec (nodup Nat.eq_dec X) X then true else false) &&
  forallb (fun x => x <? n) X && check_set C X && (length X =? d) && no_set (seq 0 n) (S d) [C].

(** * Soundness *)
Ltac split_checks := repeat match goal with
  | H : _ && _ = true |- _ => apply andb_true_iff in H as (? & ?)
  | H : (_ =? _) = true |- _ => apply Nat.eqb_eq in H
  | H : (_ <? _) = true |- _ => apply Nat.ltb_lt in H
  end.

Lemma in_side V x y c : In c (side V x y) <-> In c V /\ label c x = y.
Proof. unfold side. now rewrite filter_In, eqb_true_iff. Qed.
Lemma sides V x : length (side V x false) + length (side V x true) = length V.
Proof. induction V as [| c V]; simpl; auto. destruct (label c x); simpl; lia. Qed.
Lemma some_concept V : negb (fewer V 0) = true -> exists c, In c V.
Proof. destruct V as [| c V]; [easy | exists c; now left]. Qed.

Lemma shatters_node n V x zero one d : shatters_tree n V (node x zero one) (S d) <->
  x < n /\ forall y : bool, shatters_tree n (side V x y) (if y then one else zero) d.
Proof.
  unfold shatters_tree. simpl. split.
  - intros ((small & cz & co) & all). split; [easy |]. intros y. split; [now destruct y |].
    intros p len. destruct (all (y :: p)) as (c & mem & eq & path); [now simpl; f_equal |].
    exists c. now rewrite in_side.
  - intros (small & all). split; [now destruct (all true), (all false) |].
    intros [| y p] len; [easy |]. injection len as len.
    destruct (proj2 (all y) p len) as (c & mem & path). apply in_side in mem. exists c. now simpl.
Qed.

Lemma shatters_leaf n V : (exists c, In c V) -> shatters_tree n V leaf 0.
Proof. intros (c & mem). split; [easy |]. intros [| y p] len; [now exists c | easy]. Qed.

Lemma tree_sound n t : forall V d, check_tree n V t d = true -> shatters_tree n V t d.
Proof.
  induction t as [| x zero IHz one IHo]; intros V [| d]; cbn [check_tree]; intros; try easy.
  - now apply shatters_leaf, some_concept.
  - split_checks. apply shatters_node. split; [easy | intros []; auto].
Qed.

Lemma tree_count n t : forall V k, shatters_tree n V t k -> 2 ^ k <= length V.
Proof.
  induction t as [| x zero IHz one IHo]; intros V [| k] shattered; try now destruct shattered.
  - destruct shattered as (_ & all), V; [now destruct (all [] eq_refl) as (c & []) | simpl; lia].
  - apply shatters_node in shattered as (_ & all). rewrite <- (sides V x). simpl.
    pose proof (IHz _ k (all false)). pose proof (IHo _ k (all true)). lia.
Qed.

Lemma tree_pred n t : forall V k, shatters_tree n V t (S k) -> exists t', shatters_tree n V t' k.
Proof.
  induction t as [| x zero IHz one IHo]; intros V k shattered; [now destruct shattered |].
  apply shatters_node in shattered as (small & all). destruct k as [| k].
  - exists leaf. apply shatters_leaf. pose proof (tree_count _ _ _ _ (all true)).
    destruct V as [| c V]; [simpl in *; lia | exists c; now left].
  - destruct (IHz _ k (all false)) as (z & sz). destruct (IHo _ k (all true)) as (o & so).
    exists (node x z o). apply shatters_node. split; [easy | now intros []].
Qed.

Lemma dag_sound n C dag : check_dag n C dag = true ->
  forall e t, In e dag -> ~ shatters_tree n (filter (agrees e) C) t (S (fails e)).
Proof.
  induction dag as [| e below IH]; simpl; [easy |]. intros accepted. split_checks.
  intros w t [<- | mem]; [| auto]. destruct t as [| x zero one]; [now intros [] |].
  rewrite shatters_node. intros (small & all). rewrite forallb_forall in H0.
  assert (In x (seq 0 n)) as mem by (apply in_seq; lia). apply H0 in mem. clear H0.
  unfold check_step in mem. destruct (nth x (steps e) (Count false)) as [y | y j].
  { apply Nat.ltb_lt in mem. specialize (all y). apply tree_count in all. lia. }
  destruct (nth_error below (j - 1)) as [w |] eqn:found; [split_checks | easy].
  apply (IH H w (if y then one else zero) (nth_error_In _ _ found)). rewrite H0.
  split; [apply all |]. intros p len. destruct (proj2 (all y) p len) as (c & mem & path).
  exists c. split; [apply filter_In | easy]. rewrite forallb_forall in H1. split; [| auto].
  now apply in_side, proj1, filter_In in mem.
Qed.

Theorem check_ldim_sound n C t dag d : check_ldim n C t dag d = true -> is_ldim n C d.
Proof.
  unfold check_ldim. intros accepted. split_checks. split; [exists t; now apply tree_sound |].
  assert (forall t, ~ shatters_tree n C t (S d)) as none.
  { intros t' all. destruct dag as [| e below].
    - apply Nat.ltb_lt in H0. apply tree_count in all. lia.
    - split_checks. apply (dag_sound n C _ H1 e t'); [now left |]. rewrite H0.
      split; [apply all |]. intros p len. destruct (proj2 all p len) as (c & mem & path).
      exists c. rewrite filter_In. rewrite forallb_forall in H2. auto. }
  intros t' k all. destruct (le_lt_dec k d) as [| more]; [easy | exfalso]. revert t' all.
  induction more as [| k _ IH]; [easy |]. intros t' all.
  destruct (tree_pred n t' C k all) as (t'' & all'). exact (IH t'' all').
Qed.

Lemma set_side V x X y : NoDup (x :: X) -> shatters_set V (x :: X) -> shatters_set (side V x y) X.
Proof.
  intros nodup all f. destruct (all (fun z => if z =? x then y else f z)) as (c & mem & eq).
  exists c. inversion nodup. split.
  - apply in_side. rewrite (eq x (or_introl eq_refl)), Nat.eqb_refl. auto.
  - intros z mem'. rewrite (eq z (or_intror mem')). destruct (Nat.eqb_spec z x); congruence.
Qed.

Lemma set_count X : forall V, NoDup X -> shatters_set V X -> 2 ^ length X <= length V.
Proof.
  induction X as [| x X IH]; simpl; intros V nodup all.
  - destruct (all (fun _ => true)) as (c & mem & _). destruct V; simpl in *; [easy | lia].
  - assert (forall y, 2 ^ length X <= length (side V x y)) as each
      by (inversion nodup; auto using set_side).
    rewrite <- (sides V x). pose proof (each true). pose proof (each false). lia.
Qed.

Lemma no_set_sound xs f : forall k cells, NoDup xs -> no_set xs k cells = true ->
  (forall V, In V cells -> shatters_set V (filter f xs)) -> length (filter f xs) < k.
Proof.
  induction xs as [| x xs IH]; intros k cells nodup accepted all; cbn [no_set] in accepted;
    apply orb_true_iff in accepted as [some | accepted].
  1, 3: apply existsb_exists in some as (V & mem & less); apply Nat.ltb_lt in less;
    apply all, set_count in mem; [| now apply NoDup_filter];
    apply (Nat.pow_lt_mono_r_iff 2); lia.
  - destruct k; [easy | simpl; lia].
  - destruct k as [| k]; [easy |]. split_checks. inversion nodup as [| ? ? new nodup']; subst.
    simpl in *. destruct (f x); [| now apply (IH (S k) cells)].
    apply -> Nat.succ_lt_mono. apply (IH k _ nodup' H0).
    intros W mem. apply in_flat_map in mem as (V & mem & which). apply all in mem.
    assert (NoDup (x :: filter f xs))
      by (constructor; auto using NoDup_filter; rewrite filter_In; tauto).
    destruct which as [<- | [<- | []]]; now apply set_side.
Qed.

Lemma check_set_sound X : forall V, check_set V X = true -> shatters_set V X.
Proof.
  induction X as [| x X IH]; intros V; cbn [check_set]; intros accepted f.
  - destruct (some_concept V accepted) as (c & mem). exists c. now split.
  - split_checks. assert (shatters_set (side V x (f x)) X) as sub by (destruct (f x); auto).
    destruct (sub f) as (c & mem & eq). apply in_side in mem as (mem & here).
    exists c. split; [easy |]. now intros z [<- | mem']; auto.
Qed.

Theorem check_vcdim_sound n C X d : check_vcdim n C X d = true -> is_vcdim n C d.
Proof.
  unfold check_vcdim. intros accepted. split_checks. split.
  - exists X. destruct list_eq_dec as [same |]; [| easy]. rewrite <- same at 1.
    repeat split; auto using NoDup_nodup, check_set_sound.
    intros x mem. rewrite forallb_forall in H3. apply H3, Nat.ltb_lt in mem. apply in_seq. lia.
  - intros Z nodup sub all. pose (f := fun x => existsb (Nat.eqb x) Z).
    assert (forall x, f x = true <-> In x Z) as f_spec.
    { intros x. unfold f. rewrite existsb_exists. split; [| exists x; now rewrite Nat.eqb_refl].
      intros (z & mem & eq). split_checks. now subst. }
    apply Nat.lt_succ_r, (Nat.le_lt_trans _ (length (filter f (seq 0 n)))).
    + apply NoDup_incl_length; [easy |]. intros x mem. apply filter_In. split; firstorder.
    + apply (no_set_sound _ _ _ [C]); [apply seq_NoDup | easy |].
      intros V [<- | []] g. destruct (all g) as (c & mem & eq). exists c. split; [easy |].
      intros x mem'. apply filter_In in mem' as (_ & mem'). apply eq, f_spec, mem'.
Qed.

(** * Table *)

(* 0: [0, 0, 0] *)
(* 1: [0, 0, 1] *)
(* 2: [0, 1, 0] *)
(* 3: [0, 1, 1] *)
(* 4: [1, 0, 0] *)
(* 5: [1, 0, 1] *)
(* 6: [1, 1, 0] *)
(* 7: [1, 1, 1] *)
Definition points : nat := 8.
Definition concepts : list concept := [
  "00000000";  (* 0 *)
  "00000001";  (* 1 *)
  "00000010";  (* 2 *)
  "00000011";  (* 3 *)
  "00000100";  (* 4 *)
  "00000101";  (* 5 *)
  "00000111";  (* 6 *)
  "00001000";  (* 7 *)
  "00001010";  (* 8 *)
  "00001011";  (* 9 *)
  "00001100";  (* 10 *)
  "00001101";  (* 11 *)
  "00001110";  (* 12 *)
  "00001111";  (* 13 *)
  "00010000";  (* 14 *)
  "00010001";  (* 15 *)
  "00010011";  (* 16 *)
  "00010101";  (* 17 *)
  "00011111";  (* 18 *)
  "00100000";  (* 19 *)
  "00100010";  (* 20 *)
  "00100011";  (* 21 *)
  "00101010";  (* 22 *)
  "00101111";  (* 23 *)
  "00110000";  (* 24 *)
  "00110001";  (* 25 *)
  "00110010";  (* 26 *)
  "00110011";  (* 27 *)
  "00110111";  (* 28 *)
  "00111011";  (* 29 *)
  "00111111";  (* 30 *)
  "01000000";  (* 31 *)
  "01000100";  (* 32 *)
  "01000101";  (* 33 *)
  "01001100";  (* 34 *)
  "01001111";  (* 35 *)
  "01010000";  (* 36 *)
  "01010001";  (* 37 *)
  "01010100";  (* 38 *)
  "01010101";  (* 39 *)
  "01010111";  (* 40 *)
  "01011101";  (* 41 *)
  "01011111";  (* 42 *)
  "01110000";  (* 43 *)
  "01110011";  (* 44 *)
  "01110101";  (* 45 *)
  "01110111";  (* 46 *)
  "01111111";  (* 47 *)
  "10000000";  (* 48 *)
  "10001000";  (* 49 *)
  "10001010";  (* 50 *)
  "10001100";  (* 51 *)
  "10001111";  (* 52 *)
  "10100000";  (* 53 *)
  "10100010";  (* 54 *)
  "10101000";  (* 55 *)
  "10101010";  (* 56 *)
  "10101011";  (* 57 *)
  "10101110";  (* 58 *)
  "10101111";  (* 59 *)
  "10110000";  (* 60 *)
  "10110011";  (* 61 *)
  "10111010";  (* 62 *)
  "10111011";  (* 63 *)
  "10111111";  (* 64 *)
  "11000000";  (* 65 *)
  "11000100";  (* 66 *)
  "11001000";  (* 67 *)
  "11001100";  (* 68 *)
  "11001101";  (* 69 *)
  "11001110";  (* 70 *)
  "11001111";  (* 71 *)
  "11010000";  (* 72 *)
  "11010101";  (* 73 *)
  "11011100";  (* 74 *)
  "11011101";  (* 75 *)
  "11011111";  (* 76 *)
  "11100000";  (* 77 *)
  "11101010";  (* 78 *)
  "11101100";  (* 79 *)
  "11101110";  (* 80 *)
  "11101111";  (* 81 *)
  "11110000";  (* 82 *)
  "11110001";  (* 83 *)
  "11110010";  (* 84 *)
  "11110011";  (* 85 *)
  "11110100";  (* 86 *)
  "11110101";  (* 87 *)
  "11110111";  (* 88 *)
  "11111000";  (* 89 *)
  "11111010";  (* 90 *)
  "11111011";  (* 91 *)
  "11111100";  (* 92 *)
  "11111101";  (* 93 *)
  "11111110";  (* 94 *)
  "11111111"  (* 95 *)
]%string.

(** * Evidence *)

Definition shattered_tree : tree :=
  (node 0 (node 3 (node 5 (node 6 (node 1 leaf leaf) (node 2 leaf leaf)) (node 4 (node 1 leaf leaf) (node 6 leaf leaf))) (node 1 (node 2 (node 5 leaf leaf) (node 4 leaf leaf)) (node 2 (node 4 leaf leaf) (node 5 leaf leaf)))) (node 3 (node 1 (node 2 (node 5 leaf leaf) (node 4 leaf leaf)) (node 2 (node 4 leaf leaf) (node 5 leaf leaf))) (node 5 (node 4 (node 6 leaf leaf) (node 1 leaf leaf)) (node 6 (node 2 leaf leaf) (node 1 leaf leaf))))).
Definition failure_dag : list entry := [
  Entry [] 5 [Below false 1; Below false 2; Below false 3; Below false 4; Below false 5; Below false 6; Below false 7; Below false 8];
  Entry [(0, false)] 4 [Count true; Below true 8; Below true 9; Below false 10; Below true 11; Below false 12; Below false 13; Below false 14];
  Entry [(1, false)] 4 [Below true 14; Count true; Below false 15; Below true 16; Below false 17; Below true 18; Below false 19; Below false 20];
  Entry [(2, false)] 4 [Below true 20; Below false 14; Count true; Below true 21; Below false 22; Below false 23; Below true 24; Below false 25];
  Entry [(3, false)] 4 [Below false 7; Below true 25; Below true 26; Count true; Below false 27; Below false 28; Below false 29; Below true 30];
  Entry [(4, false)] 4 [Below true 30; Below false 14; Below false 20; Below false 26; Count true; Below true 31; Below true 32; Below false 33];
  Entry [(5, false)] 4 [Below false 7; Below true 33; Below false 20; Below false 26; Below true 34; Count true; Below false 35; Below true 36];
  Entry [(6, false)] 4 [Below false 7; Below false 14; Below true 36; Below false 26; Below true 37; Below false 34; Count true; Below true 38];
  Entry [(7, false)] 4 [Below false 7; Below false 14; Below false 20; Below true 38; Below false 30; Below true 39; Below true 40; Count true];
  Entry [(0, false); (1, true)] 3 [Count true; Count false; Count true; Count false; Count true; Count false; Count true; Count false];
  Entry [(0, false); (2, true)] 3 [Count true; Count true; Count false; Count false; Count true; Count true; Count false; Count false];
  Entry [(0, false); (3, false)] 3 [Count true; Count true; Count true; Count true; Below true 38; Below false 39; Below false 40; Below true 41];
  Entry [(0, false); (4, true)] 3 [Count true; Count true; Count true; Count true; Count false; Count false; Count false; Count false];
  Entry [(0, false); (5, false)] 3 [Count true; Count true; Below true 40; Below false 37; Count true; Count true; Below false 41; Below true 42];
  Entry [(0, false); (6, false)] 3 [Count true; Below true 42; Count true; Below false 37; Count true; Below false 40; Count true; Below true 43];
  Entry [(0, false); (7, false)] 3 [Count true; Count true; Count true; Count true; Count true; Count true; Count true; Count true];
  Entry [(1, false); (0, true)] 3 [Count false; Count true; Count false; Count true; Count false; Count true; Count false; Count true];
  Entry [(1, false); (2, false)] 3 [Count true; Count true; Count true; Count true; Below false 41; Below true 42; Below true 43; Below false 44];
  Entry [(1, false); (3, true)] 3 [Count true; Count true; Count false; Count false; Count true; Count true; Count false; Count false];
  Entry [(1, false); (4, false)] 3 [Count true; Count true; Below false 39; Below true 43; Count true; Count true; Below true 44; Below false 45];
  Entry [(1, false); (5, true)] 3 [Count true; Count true; Count true; Count true; Count false; Count false; Count false; Count false];
  Entry [(1, false); (6, false)] 3 [Count true; Count true; Count true; Count true; Count true; Count true; Count true; Count true];
  Entry [(1, false); (7, false)] 3 [Below true 43; Count true; Below false 39; Count true; Below false 42; Count true; Below true 44; Count true];
  Entry [(2, false); (0, true)] 3 [Count false; Count false; Count true; Count true; Count false; Count false; Count true; Count true];
  Entry [(2, false); (3, true)] 3 [Count true; Count false; Count true; Count false; Count true; Count false; Count true; Count false];
  Entry [(2, false); (4, false)] 3 [Count true; Below false 33; Count true; Below true 42; Count true; Below true 43; Count true; Below false 44];
  Entry [(2, false); (5, false)] 3 [Count true; Count true; Count true; Count true; Count true; Count true; Count true; Count true];
  Entry [(2, false); (6, true)] 3 [Count true; Count true; Count true; Count true; Count false; Count false; Count false; Count false];
  Entry [(2, false); (7, false)] 3 [Below true 42; Below false 33; Count true; Count true; Below false 41; Below true 43; Count true; Count true];
  Entry [(3, false); (1, true)] 3 [Count false; Count false; Count true; Count true; Count false; Count false; Count true; Count true];
  Entry [(3, false); (2, true)] 3 [Count false; Count true; Count false; Count true; Count false; Count true; Count false; Count true];
  Entry [(3, false); (4, false)] 3 [Count true; Count true; Count true; Count true; Count true; Count true; Count true; Count true];
  Entry [(3, false); (5, false)] 3 [Below false 18; Count true; Below true 40; Count true; Below true 41; Count true; Below false 42; Count true];
  Entry [(3, false); (6, false)] 3 [Below false 18; Below true 42; Count true; Count true; Below true 43; Below false 41; Count true; Count true];
  Entry [(3, false); (7, true)] 3 [Count true; Count true; Count true; Count true; Count false; Count false; Count false; Count false];
  Entry [(4, false); (0, true)] 3 [Count false; Count false; Count false; Count false; Count true; Count true; Count true; Count true];
  Entry [(4, false); (5, true)] 3 [Count true; Count false; Count true; Count false; Count true; Count false; Count true; Count false];
  Entry [(4, false); (6, true)] 3 [Count true; Count true; Count false; Count false; Count true; Count true; Count false; Count false];
  Entry [(4, false); (7, false)] 3 [Below true 39; Below false 26; Below false 31; Below true 40; Count true; Count true; Count true; Count true];
  Entry [(5, false); (1, true)] 3 [Count false; Count false; Count false; Count false; Count true; Count true; Count true; Count true];
  Entry [(5, false); (4, true)] 3 [Count false; Count true; Count false; Count true; Count false; Count true; Count false; Count true];
  Entry [(5, false); (6, false)] 3 [Below false 13; Below true 38; Below true 39; Below false 33; Count true; Count true; Count true; Count true];
  Entry [(5, false); (7, true)] 3 [Count true; Count true; Count false; Count false; Count true; Count true; Count false; Count false];
  Entry [(6, false); (2, true)] 3 [Count false; Count false; Count false; Count false; Count true; Count true; Count true; Count true];
  Entry [(6, false); (4, true)] 3 [Count false; Count false; Count true; Count true; Count false; Count false; Count true; Count true];
  Entry [(6, false); (7, true)] 3 [Count true; Count false; Count true; Count false; Count true; Count false; Count true; Count false];
  Entry [(7, false); (3, true)] 3 [Count false; Count false; Count false; Count false; Count true; Count true; Count true; Count true];
  Entry [(7, false); (5, true)] 3 [Count false; Count false; Count true; Count true; Count false; Count false; Count true; Count true];
  Entry [(7, false); (6, true)] 3 [Count false; Count true; Count false; Count true; Count false; Count true; Count false; Count true];
  Entry [(0, false); (3, false); (4, true)] 2 [Count true; Count true; Count true; Count true; Count false; Below false 32; Below false 33; Below true 34];
  Entry [(0, false); (3, false); (5, false)] 2 [Count true; Count true; Below true 34; Count true; Below true 31; Count true; Below false 35; Below true 36];
  Entry [(0, false); (3, false); (6, false)] 2 [Count true; Below true 36; Count true; Count true; Below true 31; Below false 34; Count true; Below true 37];
  Entry [(0, false); (3, false); (7, true)] 2 [Count true; Count true; Count true; Count true; Below true 31; Below false 34; Below false 36; Count false];
  Entry [(0, false); (5, false); (2, true)] 2 [Count true; Count true; Count false; Below false 31; Count true; Count true; Below false 36; Below true 37];
  Entry [(0, false); (5, false); (6, false)] 2 [Count true; Below true 37; Below true 35; Below false 31; Count true; Count true; Count true; Below true 38];
  Entry [(0, false); (5, false); (7, true)] 2 [Count true; Count true; Below true 35; Below false 31; Count true; Count true; Below false 37; Count false];
  Entry [(0, false); (6, false); (1, true)] 2 [Count true; Count false; Count true; Below false 31; Count true; Below false 35; Count true; Below true 37];
  Entry [(0, false); (6, false); (7, true)] 2 [Count true; Below true 36; Count true; Below false 31; Count true; Below false 35; Count true; Count false];
  Entry [(1, false); (2, false); (4, false)] 2 [Count true; Count true; Count true; Below true 36; Count true; Below true 37; Below true 38; Below false 39];
  Entry [(1, false); (2, false); (5, true)] 2 [Count true; Count true; Count true; Count true; Below false 36; Count false; Below true 39; Below false 40];
  Entry [(1, false); (2, false); (6, true)] 2 [Count true; Count true; Count true; Count true; Below false 36; Below true 38; Count false; Below false 40];
  Entry [(1, false); (2, false); (7, false)] 2 [Below true 40; Count true; Count true; Count true; Below false 36; Below true 38; Below true 39; Count true];
  Entry [(1, false); (4, false); (3, true)] 2 [Count true; Count true; Below false 32; Count false; Count true; Count true; Below true 40; Below false 41];
  Entry [(1, false); (4, false); (6, true)] 2 [Count true; Count true; Below false 33; Below true 39; Count true; Count true; Count false; Below false 41];
  Entry [(1, false); (4, false); (7, false)] 2 [Below true 41; Count true; Below false 33; Below true 39; Count true; Count true; Below true 40; Count true];
  Entry [(1, false); (7, false); (0, true)] 2 [Count false; Count true; Below false 36; Count true; Below false 40; Count true; Below true 41; Count true];
  Entry [(1, false); (7, false); (6, true)] 2 [Below true 40; Count true; Below false 34; Count true; Below false 38; Count true; Count false; Count true];
  Entry [(2, false); (4, false); (3, true)] 2 [Count true; Below false 27; Count true; Count false; Count true; Below true 40; Count true; Below false 41];
  Entry [(2, false); (4, false); (5, true)] 2 [Count true; Below false 27; Count true; Below true 39; Count true; Count false; Count true; Below false 41];
  Entry [(2, false); (4, false); (7, false)] 2 [Below true 41; Below false 28; Count true; Below true 39; Count true; Below true 40; Count true; Count true];
  Entry [(2, false); (7, false); (0, true)] 2 [Count false; Below false 31; Count true; Count true; Below false 40; Below true 41; Count true; Count true];
  Entry [(2, false); (7, false); (5, true)] 2 [Below true 40; Below false 28; Count true; Count true; Below false 38; Count false; Count true; Count true];
  Entry [(3, false); (5, false); (2, true)] 2 [Below false 12; Count true; Count false; Count true; Below true 40; Count true; Below false 41; Count true];
  Entry [(3, false); (5, false); (4, true)] 2 [Below false 8; Count true; Below true 39; Count true; Count false; Count true; Below false 41; Count true];
  Entry [(3, false); (5, false); (6, false)] 2 [Below false 11; Below true 41; Below true 39; Count true; Below true 40; Count true; Count true; Count true];
  Entry [(3, false); (6, false); (1, true)] 2 [Below false 12; Count false; Count true; Count true; Below true 41; Below false 40; Count true; Count true];
  Entry [(3, false); (6, false); (4, true)] 2 [Below false 6; Below true 40; Count true; Count true; Count false; Below false 38; Count true; Count true];
  Entry [(4, false); (7, false); (0, true)] 2 [Count false; Below false 28; Below false 33; Below true 40; Count true; Count true; Count true; Count true];
  Entry [(4, false); (7, false); (3, true)] 2 [Below true 39; Below false 25; Below false 30; Count false; Count true; Count true; Count true; Count true];
  Entry [(5, false); (6, false); (1, true)] 2 [Below false 12; Count false; Below true 39; Below false 36; Count true; Count true; Count true; Count true];
  Entry [(5, false); (6, false); (2, true)] 2 [Below false 9; Below true 38; Count false; Below false 33; Count true; Count true; Count true; Count true];
  Entry [(0, false); (3, false); (4, true); (5, false)] 1 [Count true; Count true; Count true; Count true; Count false; Count true; Count false; Count true];
  Entry [(0, false); (3, false); (4, true); (6, false)] 1 [Count true; Count true; Count true; Count true; Count false; Count false; Count true; Count true];
  Entry [(0, false); (3, false); (4, true); (7, true)] 1 [Count true; Count true; Count true; Count true; Count false; Count false; Count false; Count false];
  Entry [(0, false); (3, false); (5, false); (2, true)] 1 [Count true; Count true; Count false; Count true; Count true; Count true; Count false; Count true];
  Entry [(0, false); (3, false); (5, false); (6, false)] 1 [Count true; Count true; Count true; Count true; Count true; Count true; Count true; Count true];
  Entry [(0, false); (3, false); (5, false); (7, true)] 1 [Count true; Count true; Count true; Count true; Count true; Count true; Count false; Count false];
  Entry [(0, false); (3, false); (6, false); (1, true)] 1 [Count true; Count false; Count true; Count true; Count true; Count false; Count true; Count true];
  Entry [(0, false); (3, false); (6, false); (7, true)] 1 [Count true; Count true; Count true; Count true; Count true; Count false; Count true; Count false];
  Entry [(0, false); (5, false); (2, true); (6, false)] 1 [Count true; Count true; Count false; Count false; Count true; Count true; Count true; Count true];
  Entry [(0, false); (5, false); (2, true); (7, true)] 1 [Count true; Count true; Count false; Count false; Count true; Count true; Count false; Count false];
  Entry [(0, false); (5, false); (6, false); (1, true)] 1 [Count true; Count false; Count true; Count false; Count true; Count true; Count true; Count true];
  Entry [(0, false); (5, false); (6, false); (7, true)] 1 [Count true; Count true; Count true; Count false; Count true; Count true; Count true; Count false];
  Entry [(0, false); (6, false); (1, true); (7, true)] 1 [Count true; Count false; Count true; Count false; Count true; Count false; Count true; Count false];
  Entry [(1, false); (2, false); (4, false); (3, true)] 1 [Count true; Count true; Count true; Count false; Count true; Count true; Count true; Count false];
  Entry [(1, false); (2, false); (4, false); (5, true)] 1 [Count true; Count true; Count true; Count true; Count true; Count false; Count true; Count false];
  Entry [(1, false); (2, false); (4, false); (6, true)] 1 [Count true; Count true; Count true; Count true; Count true; Count true; Count false; Count false];
  Entry [(1, false); (2, false); (4, false); (7, false)] 1 [Count true; Count true; Count true; Count true; Count true; Count true; Count true; Count true];
  Entry [(1, false); (2, false); (5, true); (6, true)] 1 [Count true; Count true; Count true; Count true; Count false; Count false; Count false; Count false];
  Entry [(1, false); (2, false); (5, true); (7, false)] 1 [Count true; Count true; Count true; Count true; Count false; Count false; Count true; Count true];
  Entry [(1, false); (2, false); (6, true); (7, false)] 1 [Count true; Count true; Count true; Count true; Count false; Count true; Count false; Count true];
  Entry [(1, false); (2, false); (7, false); (0, true)] 1 [Count false; Count true; Count true; Count true; Count false; Count true; Count true; Count true];
  Entry [(1, false); (4, false); (3, true); (6, true)] 1 [Count true; Count true; Count false; Count false; Count true; Count true; Count false; Count false];
  Entry [(1, false); (4, false); (3, true); (7, false)] 1 [Count true; Count true; Count false; Count false; Count true; Count true; Count true; Count true];
  Entry [(1, false); (4, false); (6, true); (7, false)] 1 [Count true; Count true; Count false; Count true; Count true; Count true; Count false; Count true];
  Entry [(1, false); (4, false); (7, false); (0, true)] 1 [Count false; Count true; Count false; Count true; Count true; Count true; Count true; Count true];
  Entry [(1, false); (7, false); (0, true); (6, true)] 1 [Count false; Count true; Count false; Count true; Count false; Count true; Count false; Count true];
  Entry [(2, false); (4, false); (3, true); (5, true)] 1 [Count true; Count false; Count true; Count false; Count true; Count false; Count true; Count false];
  Entry [(2, false); (4, false); (3, true); (7, false)] 1 [Count true; Count false; Count true; Count false; Count true; Count true; Count true; Count true];
  Entry [(2, false); (4, false); (5, true); (7, false)] 1 [Count true; Count false; Count true; Count true; Count true; Count false; Count true; Count true];
  Entry [(2, false); (4, false); (7, false); (0, true)] 1 [Count false; Count false; Count true; Count true; Count true; Count true; Count true; Count true];
  Entry [(2, false); (7, false); (0, true); (5, true)] 1 [Count false; Count false; Count true; Count true; Count false; Count false; Count true; Count true];
  Entry [(3, false); (5, false); (2, true); (4, true)] 1 [Count false; Count true; Count false; Count true; Count false; Count true; Count false; Count true];
  Entry [(3, false); (5, false); (2, true); (6, false)] 1 [Count false; Count true; Count false; Count true; Count true; Count true; Count true; Count true];
  Entry [(3, false); (5, false); (4, true); (6, false)] 1 [Count false; Count true; Count true; Count true; Count false; Count true; Count true; Count true];
  Entry [(3, false); (5, false); (6, false); (1, true)] 1 [Count false; Count false; Count true; Count true; Count true; Count true; Count true; Count true];
  Entry [(3, false); (6, false); (1, true); (4, true)] 1 [Count false; Count false; Count true; Count true; Count false; Count false; Count true; Count true];
  Entry [(4, false); (7, false); (0, true); (3, true)] 1 [Count false; Count false; Count false; Count false; Count true; Count true; Count true; Count true];
  Entry [(5, false); (6, false); (1, true); (2, true)] 1 [Count false; Count false; Count false; Count false; Count true; Count true; Count true; Count true]].
Definition shattered_points : list nat := [0; 1; 2; 4].

(** * Theorems *)

Theorem ldim : is_ldim points concepts 5.
Proof.
  apply (check_ldim_sound _ _ shattered_tree failure_dag). vm_cast_no_check (eq_refl true).
Qed.

Theorem vcdim : is_vcdim points concepts 4.
Proof.
  apply (check_vcdim_sound _ _ shattered_points). vm_cast_no_check (eq_refl true).
Qed.

Print Assumptions ldim.
Print Assumptions vcdim.
