(** The Littlestone dimension by its definition, and the facts F1 to F6 that certificates rest on.

    A class is a predicate on rows, the concepts, and a domain one on points; [ev c x] is the label
    that the concept [c] gives the point [x]. Nothing is finite here unless it is said. *)

From Coq Require Import List Bool Arith Lia.
Import ListNotations.

Set Implicit Arguments.

(* begin definitions *)
Section Definitions.
Variables (pt row : Type) (ev : row -> pt -> bool).

Inductive tree := Leaf | Node (x : pt) (zero one : tree).

(** A complete binary tree of depth [k], its points in [D]. *)
Fixpoint complete (D : pt -> Prop) (k : nat) (t : tree) : Prop :=
  match t, k with
  | Leaf, O => True
  | Node x zero one, S k' => D x /\ complete D k' zero /\ complete D k' one
  | _, _ => False
  end.

(** The concept [c] gives the points on the path [p] the labels of the path, down to a leaf. *)
Fixpoint follows (c : row) (p : list bool) (t : tree) : Prop :=
  match t, p with
  | Leaf, [] => True
  | Node x zero one, y :: p' => ev c x = y /\ follows c p' (if y then one else zero)
  | _, _ => False
  end.

Definition shatters (D : pt -> Prop) (V : row -> Prop) (k : nat) : Prop :=
  exists t, complete D k t /\ forall p, length p = k -> exists c, V c /\ follows c p t.

Definition is_ldim (D : pt -> Prop) (V : row -> Prop) (d : nat) : Prop :=
  shatters D V d /\ forall k, shatters D V k -> k <= d.
End Definitions.
(* end definitions *)

Arguments Leaf {pt}.

Section Restrictions.
Variables (pt row : Type) (ev : row -> pt -> bool).

(** The concepts of [V] that give [x] the label [y]. *)
Definition restrict (V : row -> Prop) (x : pt) (y : bool) : row -> Prop :=
  fun c => V c /\ ev c x = y.

(** Shattering by recursion on the depth; F1 and F2 are its two equations. *)
Fixpoint sh (D : pt -> Prop) (V : row -> Prop) (k : nat) : Prop :=
  match k with
  | O => exists c, V c
  | S k' => exists x, D x /\ forall y, sh D (restrict V x y) k'
  end.

Lemma F1 : forall D V, sh D V 0 <-> exists c, V c.
Proof. reflexivity. Qed.

Lemma F2 : forall D V k, sh D V (S k) <-> exists x, D x /\ forall y, sh D (restrict V x y) k.
Proof. reflexivity. Qed.

Theorem shatters_sh : forall D k V, shatters ev D V k <-> sh D V k.
Proof.
  intros D k; induction k as [|k IH]; intros V; split.
  - intros ([|x zero one] & complete & all); [|contradiction].
    destruct (all [] eq_refl) as (c & Vc & _). now exists c.
  - intros (c & Vc). exists Leaf; split; [exact I|].
    intros [|y p] len; [|discriminate]. now exists c.
  - intros ([|x zero one] & complete & all); [contradiction|].
    destruct complete as (Dx & left & right). exists x; split; [exact Dx|].
    intros y. apply IH. exists (if y then one else zero); split; [now destruct y|].
    intros p len. destruct (all (y :: p)) as (c & Vc & label & rest); [simpl; congruence|].
    exists c; repeat split; assumption.
  - intros (x & Dx & sides).
    destruct (proj2 (IH _) (sides false)) as (zero & left & zeros).
    destruct (proj2 (IH _) (sides true)) as (one & right & ones).
    exists (Node x zero one); split; [now repeat split|].
    intros [|y p] len; [discriminate|]. injection len as len.
    destruct y; [destruct (ones p len) as (c & (Vc & label) & rest)
                |destruct (zeros p len) as (c & (Vc & label) & rest)];
      exists c; repeat split; assumption.
Qed.

Lemma sh_mono : forall (D E : pt -> Prop) k (V W : row -> Prop),
  (forall x, D x -> E x) -> (forall c, V c -> W c) -> sh D V k -> sh E W k.
Proof.
  intros D E k; induction k as [|k IH]; intros V W points concepts; simpl.
  - intros (c & Vc). eauto.
  - intros (x & Dx & sides). exists x; split; [auto|]. intros y.
    apply IH with (restrict V x y); auto. intros c (Vc & label). split; auto.
Qed.

Lemma sh_inhabited : forall D k V, sh D V k -> exists c, V c.
Proof.
  intros D k; induction k as [|k IH]; intros V; [trivial|].
  intros (x & _ & sides). destruct (IH _ (sides true)) as (c & Vc & _). now exists c.
Qed.

Lemma F3_step : forall D k V, sh D V (S k) -> sh D V k.
Proof.
  intros D k; induction k as [|k IH]; intros V.
  - apply sh_inhabited.
  - intros (x & Dx & sides). exists x; split; [assumption|]. intros y. apply IH, sides.
Qed.

(** F3: who shatters a depth shatters what is less deep; the part on subclasses is [sh_mono]. *)
Lemma F3 : forall D V j k, j <= k -> sh D V k -> sh D V j.
Proof. intros D V j k le; induction le; auto using F3_step. Qed.

Lemma filter_split : forall (f : row -> bool) l,
  length (filter f l) + length (filter (fun c => negb (f c)) l) = length l.
Proof. intros f l; induction l as [|c l IH]; simpl; [|destruct (f c); simpl]; lia. Qed.

(** F4: depth [k] takes [2 ^ k] concepts. *)
Lemma F4 : forall D k l, sh D (fun c => In c l) k -> 2 ^ k <= length l.
Proof.
  intros D k; induction k as [|k IH]; intros l.
  - intros (c & inside). destruct l; [contradiction|simpl; lia].
  - intros (x & _ & sides).
    assert (one : 2 ^ k <= length (filter (fun c => ev c x) l)).
    { apply IH, sh_mono with (3 := sides true); trivial.
      intros c (inside & label). apply filter_In. now split. }
    assert (zero : 2 ^ k <= length (filter (fun c => negb (ev c x)) l)).
    { apply IH, sh_mono with (3 := sides false); trivial.
      intros c (inside & label). apply filter_In. split; [assumption|]. now rewrite label. }
    generalize (filter_split (fun c => ev c x) l). simpl. lia.
Qed.

Definition constant (V : row -> Prop) (x : pt) : Prop := exists y, forall c, V c -> ev c x = y.

(** The columns of [x] and [z] are equal on [V], or complementary. *)
Definition alike (V : row -> Prop) (x z : pt) : Prop :=
  exists s, forall c, V c -> ev c x = xorb (ev c z) s.

(** Every column that is not constant on [V] is that of a listed point, or its complement. *)
Definition covers (D : pt -> Prop) (V : row -> Prop) (listed : pt -> Prop) : Prop :=
  forall x, D x -> constant V x \/ exists z, listed z /\ alike V x z.

Lemma constant_part : forall (V W : row -> Prop) x,
  (forall c, V c -> W c) -> constant W x -> constant V x.
Proof. intros V W x part (y & all). exists y; auto. Qed.

Lemma covers_part : forall D (V W : row -> Prop) listed,
  (forall c, V c -> W c) -> covers D W listed -> covers D V listed.
Proof.
  intros D V W listed part cover x Dx. destruct (cover x Dx) as [same|(z & is & s & all)].
  - left; now apply constant_part with W.
  - right; exists z; split; [assumption|]. exists s; auto.
Qed.

(** A column both of whose sides hold concepts is not constant. *)
Lemma not_constant : forall (V : row -> Prop) x,
  (forall y, exists c, restrict V x y c) -> ~ constant V x.
Proof.
  intros V x both (y & all). destruct (both (negb y)) as (c & Vc & label).
  rewrite (all c Vc) in label. now destruct y.
Qed.

(** The sides of a point whose column is that of [z], or its complement, are those of [z]. *)
Lemma alike_side : forall (V : row -> Prop) x z s y c,
  (forall c, V c -> ev c x = xorb (ev c z) s) ->
  restrict V x (xorb y s) c <-> restrict V z y c.
Proof.
  intros V x z s y c all. unfold restrict.
  split; intros (Vc & label); split; trivial; specialize (all c Vc); revert all label;
    now destruct (ev c x), (ev c z), s, y.
Qed.

End Restrictions.

Arguments sh_inhabited [pt row ev D k V] _.

(** F5 is about two classes, which need not have the same points nor the same rows. *)
Section Images.
Variables (pt row : Type) (ev : row -> pt -> bool).
Variables (pt' row' : Type) (ev' : row' -> pt' -> bool).
Variable matching : pt -> pt' -> bool -> Prop.

Definition source (x : pt) : Prop := exists z b, matching x z b.

Definition maps (V : row -> Prop) (W : row' -> Prop) : Prop :=
  forall c, V c -> exists c', W c' /\
    forall x z b, matching x z b -> ev' c' z = xorb (ev c x) b.

Lemma F5 : forall (D : pt -> Prop) (E : pt' -> Prop),
  (forall x z b, matching x z b -> E z) ->
  forall k V W, covers ev D V source -> maps V W -> sh ev D V k -> sh ev' E W k.
Proof.
  intros D E targets k; induction k as [|k IH]; intros V W cover mapped.
  - intros (c & Vc). destruct (mapped c Vc) as (c' & Wc' & _). now exists c'.
  - intros (x & Dx & sides). destruct (cover x Dx) as [same|(x' & (z & b & pair) & s & all)].
    { exfalso. revert same. apply not_constant. intros y. exact (sh_inhabited (sides y)). }
    exists z; split; [eauto|]. intros y.
    apply IH with (restrict ev V x (xorb (xorb y b) s)).
    + apply covers_part with V; [|assumption]. now intros c (Vc & _).
    + intros c (Vc & label). destruct (mapped c Vc) as (c' & Wc' & agree).
      exists c'; repeat split; try assumption.
      rewrite (agree _ _ _ pair). specialize (all c Vc). rewrite label in all.
      revert all. now destruct (ev c x'), y, b, s.
    + apply sides.
Qed.
End Images.

(** F6. Each group is given with a depth that [V] fails on its points. No product of classes is
    needed: to shatter is relative to a set of points. *)
Section Products.
Variables (pt row : Type) (ev : row -> pt -> bool).

Definition group : Type := (pt -> Prop) * nat.
Definition in_some (groups : list group) (x : pt) : Prop :=
  exists g, In g groups /\ fst g x.
Definition total (groups : list group) : nat := list_sum (map snd groups).

Lemma total_app : forall l l', total (l ++ l') = total l + total l'.
Proof. intros. unfold total. now rewrite map_app, list_sum_app. Qed.

Lemma F6 : forall D k V groups,
  covers ev D V (in_some groups) ->
  (forall g, In g groups -> ~ sh ev (fst g) V (snd g)) ->
  sh ev D V k -> k + length groups <= total groups.
Proof.
  intros D k; induction k as [|k IH]; intros V groups cover fail shattered.
  - clear cover. simpl. induction groups as [|(G, d) groups IH]; simpl; [apply Nat.le_0_l|].
    assert (length groups <= total groups) by (apply IH; intros g is; apply fail; now right).
    destruct d as [|d]; [|unfold total in *; simpl; lia].
    exfalso. apply (fail (G, 0)); [now left|assumption].
  - destruct shattered as (x & Dx & sides).
    destruct (cover x Dx) as [same|(z & ((G, d) & is & Gz) & s & all)].
    { exfalso. revert same. apply not_constant. intros y. exact (sh_inhabited (sides y)). }
    destruct (in_split _ _ is) as (l & l' & split_). subst groups. simpl in Gz.
    destruct (le_lt_dec (S k + length (l ++ (G, d) :: l')) (total (l ++ (G, d) :: l')))
      as [le|lt]; [assumption|exfalso].
    rewrite app_length, total_app in lt. unfold total in lt; simpl in lt. fold (total l') in lt.
    fold (total l) in lt.
    destruct d as [|d].
    { apply (fail (G, 0)); [assumption|]. simpl.
      destruct (sh_inhabited (sides true)) as (c & Vc & _). now exists c. }
    assert (side : forall y, ~ ~ sh ev G (restrict ev V z y) d).
    { intros y fails.
      assert (part : forall c, restrict ev V z y c -> V c) by now intros c (Vc & _).
      assert (k + length (l ++ (G, d) :: l') <= total (l ++ (G, d) :: l')).
      { apply IH with (restrict ev V z y).
        - apply covers_part with V; [exact part|]. intros x' Dx'.
          destruct (cover x' Dx') as [same|(z' & (g & where_ & Gz') & like)]; [now left|right].
          exists z'; split; [|assumption].
          apply in_app_or in where_; destruct where_ as [first|[same|last]].
          + exists g; split; [apply in_or_app; now left|assumption].
          + exists (G, d); subst g; split; [apply in_or_app; right; now left|assumption].
          + exists g; split; [apply in_or_app; right; now right|assumption].
        - intros g where_. apply in_app_or in where_; destruct where_ as [first|[same|last]].
          + intros shat. apply (fail g); [apply in_or_app; now left|].
            revert shat. now apply sh_mono.
          + subst g. exact fails.
          + intros shat. apply (fail g); [apply in_or_app; right; now right|].
            revert shat. now apply sh_mono.
        - apply sh_mono with (3 := sides (xorb y s)); trivial.
          intros c. now apply alike_side. }
      rewrite app_length, total_app in H. unfold total in H; simpl in H.
      fold (total l') in H. fold (total l) in H. lia. }
    apply (side false). intros zero. apply (side true). intros one.
    apply (fail (G, S d)); [assumption|]. exists z; split; [exact Gz|]. now intros [|].
Qed.
End Products.
