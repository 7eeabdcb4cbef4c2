(** The VC dimension by its definition, and the rules S1, S2 and U1 to U3. *)

From Coq Require Import List Bool Arith PArith Lia.
From Lsclasses Require Import Ldim Rules.
Import ListNotations.

Set Implicit Arguments.
Local Open Scope lazy_bool_scope.

(* begin definitions *)
Section Definitions.
Variables (pt row : Type) (ev : row -> pt -> bool).

(** Distinct points of [D], to which concepts of [V] give all labellings. *)
Definition vc_shatters (D : pt -> Prop) (V : row -> Prop) (xs : list pt) : Prop :=
  NoDup xs /\ (forall x, In x xs -> D x) /\
  forall ys, length ys = length xs -> exists c, V c /\ map (ev c) xs = ys.

Definition is_vcdim (D : pt -> Prop) (V : row -> Prop) (d : nat) : Prop :=
  (exists xs, length xs = d /\ vc_shatters D V xs) /\
  forall xs, vc_shatters D V xs -> length xs <= d.
End Definitions.
(* end definitions *)

Section Facts.
Variables (pt row : Type) (ev : row -> pt -> bool).

(** What asks the points of a shattered set one after the other is a shattered tree. *)
Lemma vc_sh : forall (D : pt -> Prop) xs (V : row -> Prop),
  vc_shatters ev D V xs -> sh ev D V (length xs).
Proof.
  intros D xs V (_ & ins & all). revert V all.
  induction xs as [|x xs IH]; intros V all; simpl.
  - destruct (all [] eq_refl) as (c & Vc & _). now exists c.
  - exists x; split; [apply ins; now left|]. intros y. apply IH.
    + intros; apply ins; now right.
    + intros ys len. destruct (all (y :: ys)) as (c & Vc & labels); [simpl; congruence|].
      injection labels as label labels. exists c; repeat split; assumption.
Qed.

(** VCdim <= Ldim, on any domain and for any class. *)
Theorem vcdim_le_ldim : forall D V v d, is_vcdim ev D V v -> is_ldim ev D V d -> v <= d.
Proof.
  intros D V v d ((xs & len & shattered) & _) (_ & most). subst v.
  apply most, shatters_sh. now apply vc_sh.
Qed.

(** Some of the elements of a list, in its order. *)
Inductive sub {A : Type} : list A -> list A -> Prop :=
  | sub_nil : forall l, sub [] l
  | sub_take : forall a l l', sub l l' -> sub (a :: l) (a :: l')
  | sub_skip : forall a l l', sub l l' -> sub l (a :: l').

Lemma sub_filter : forall A (f : A -> bool) n l, sub (firstn n (filter f l)) l.
Proof.
  intros A f n l; revert n; induction l as [|a l IH]; intros n; simpl.
  - destruct n; constructor.
  - destruct (f a); [|constructor; apply IH]. destruct n; simpl; constructor. apply IH.
Qed.

Lemma sub_in : forall A (l l' : list A) a, sub l l' -> In a l -> In a l'.
Proof. intros A l l' a part; induction part; simpl; intuition. Qed.

Lemma sub_nodup : forall A (l l' : list A), sub l l' -> NoDup l' -> NoDup l.
Proof.
  intros A l l' part; induction part; intros nodup; [constructor| |];
    inversion nodup as [|? ? new rest]; subst; [|auto].
  constructor; [|auto]. intros is. apply new. now apply sub_in with l.
Qed.

Lemma nodup_front : forall A (l l' : list A), NoDup (l ++ l') -> NoDup l.
Proof.
  intros A l l'; induction l as [|a l IH]; simpl; intros nodup; [constructor|].
  inversion nodup as [|? ? new rest]; subst. constructor; [|auto].
  intros is. apply new. apply in_or_app. now left.
Qed.
End Facts.

Section Rules.
Variables (pt row : Type) (ev : row -> pt -> bool) (key : pt -> positive).
Hypothesis key_inj : forall x z, key x = key z -> x = z.
Variable dom : list pt.
Notation D := (fun x => In x dom).
Notation mem := (mem key).

(** ** S1 and S2 *)

Fixpoint distinct_from (seen : pset pt) (xs : list pt) : bool :=
  match xs with
  | [] => true
  | x :: xs' => negb (mem x seen) &&& distinct_from (put key seen x) xs'
  end.
Definition distinct (xs : list pt) : bool := distinct_from (PM.empty pt) xs.

Lemma mem_put : forall seen x z, mem z (put key seen x) = true <-> x = z \/ mem z seen = true.
Proof.
  intros seen x z. unfold Rules.mem, put. destruct (Pos.eq_dec (key z) (key x)) as [same|other].
  - rewrite same, PM.gss. split; [|trivial]. left. now apply key_inj.
  - rewrite PM.gso by assumption. split; [tauto|]. intros [same|]; [now subst|assumption].
Qed.

Lemma distinct_ok : forall xs, distinct xs = true -> NoDup xs.
Proof.
  intros xs. unfold distinct.
  assert (general : forall xs seen, distinct_from seen xs = true ->
    NoDup xs /\ forall x, In x xs -> mem x seen = false).
  { clear xs. induction xs as [|x xs IH]; intros seen; simpl.
    - intros _; split; [constructor|contradiction].
    - rewrite lazy_and. intros (new & rest). apply negb_true_iff in new.
      destruct (IH _ rest) as (nodup & unseen). split.
      + constructor; [|assumption]. intros is. specialize (unseen x is).
        rewrite (proj2 (mem_put seen x x)) in unseen; [discriminate|now left].
      + intros z [same|is]; [now subst|]. specialize (unseen z is).
        destruct (mem z seen) eqn:is_seen; [|reflexivity].
        rewrite (proj2 (mem_put seen x z)) in unseen; [discriminate|now right]. }
  intros ok. apply (general xs (PM.empty pt) ok).
Qed.

Definition is_set (xs : list pt) (V : list row) : bool :=
  distinct xs &&& all (inside key dom) xs &&& shset ev xs V.

Lemma shset_labels : forall xs V, shset ev xs V = true ->
  forall ys, length ys = length xs -> exists c, In c V /\ map (ev c) xs = ys.
Proof.
  intros xs; induction xs as [|x xs IH]; intros V; simpl.
  - destruct V as [|c V]; [discriminate|]. intros _ [|]; [|discriminate].
    intros _. exists c; split; [now left|reflexivity].
  - rewrite lazy_and. intros (zero & one) [|y ys] len; [discriminate|]. injection len as len.
    assert (side : shset ev xs (pick ev x y V) = true) by now destruct y.
    destruct (IH _ side ys len) as (c & is & labels). apply pick_ok in is.
    destruct is as (is & label). exists c; split; [assumption|]. simpl. congruence.
Qed.

Lemma is_set_ok : forall xs V, is_set xs V = true -> vc_shatters ev D (members V) xs.
Proof.
  intros xs V. unfold is_set. rewrite !lazy_and, all_ok. intros ((nodup & ins) & labels).
  repeat split.
  - now apply distinct_ok.
  - intros x is. apply inside_ok with key; auto.
  - now apply shset_labels.
Qed.

(** ** U1 *)

Lemma size_ok : forall V d xs, few (fun _ => true) (S d) V = true ->
  vc_shatters ev D (members V) xs -> length xs <= d.
Proof.
  intros V d xs small shattered. destruct (le_lt_dec (length xs) d) as [le|lt]; [assumption|].
  exfalso. apply (few_ok ev dom _ _ _ small).
  apply F3 with (length xs); [assumption|].
  apply sh_mono with (3 := vc_sh shattered); trivial. intros c is. now split.
Qed.

(** ** U2 and U3 *)

Definition labelling : Type := list (pt * bool).
Definition induces (m : labelling) (c : row) : bool :=
  all (fun p => let '(x, y) := p in eqb (ev c x) y) m.

Definition is_nil {A} (l : list A) : bool := match l with [] => true | _ => false end.
Fixpoint after (x : pt) (ms : list (list pt)) : list (list pt) :=
  match ms with
  | [] => []
  | (z :: m) :: ms' => if Pos.eqb (key x) (key z) then m :: after x ms' else after x ms'
  | [] :: ms' => after x ms'
  end.

(** Whatever [size] points are taken of [rest], in order, they begin with a list of [ms]. *)
Fixpoint begins (rest : list pt) (size : nat) (ms : list (list pt)) : bool :=
  any is_nil ms |||
  match size, rest with
  | O, _ => false
  | S _, [] => true
  | S size', x :: rest' => begins rest' size' (after x ms) &&& begins rest' size ms
  end.

Lemma after_ok : forall x ms m, In m (after x ms) -> In (x :: m) ms.
Proof.
  intros x ms; induction ms as [|[|z m'] ms IH]; intros m; simpl; [trivial|auto|].
  destruct (Pos.eqb (key x) (key z)) eqn:same; [|auto].
  apply Pos.eqb_eq, key_inj in same. subst z. intros [same|is]; [left; congruence|auto].
Qed.

Lemma begins_ok : forall rest size ms, begins rest size ms = true ->
  forall xs, sub xs rest -> length xs = size -> exists m xs', In m ms /\ xs = m ++ xs'.
Proof.
  assert (now : forall ms, any is_nil ms = true ->
    forall xs, exists m xs', In m ms /\ xs = m ++ xs' :> list pt).
  { intros ms here xs. rewrite any_ok in here. destruct here as ([|] & is & nil); [|discriminate].
    now exists [], xs. }
  intros rest; induction rest as [|x rest IH]; intros size ms ok xs taken len.
  - simpl in ok. apply lazy_or in ok. destruct ok as [here|ok]; [auto|].
    destruct size; [discriminate|]. inversion taken; subst; discriminate.
  - simpl in ok. apply lazy_or in ok. destruct ok as [here|ok]; [auto|].
    destruct size as [|size]; [discriminate|]. apply lazy_and in ok. destruct ok as (with_ & without).
    inversion taken as [|x' xs'' rest' taken'|x' xs'' rest' taken']; subst; [discriminate| |].
    + injection len as len. destruct (IH _ _ with_ xs'' taken' len) as (m & xs' & is & same).
      apply after_ok in is. exists (x :: m), xs'; split; [assumption|]. simpl. congruence.
    + now apply (IH _ _ without).
Qed.

Definition is_missing (missing : list labelling) (d : nat) (V : list row) : bool :=
  distinct dom &&&
  all (fun m => negb (any (induces m) V)) missing &&&
  begins dom (S d) (map (map fst) missing).

Fixpoint label (m : labelling) (x : pt) : bool :=
  match m with [] => false | (z, y) :: m' => if Pos.eqb (key x) (key z) then y else label m' x end.

Lemma label_ok : forall m x y, NoDup (map fst m) -> In (x, y) m -> label m x = y.
Proof.
  intros m x y; induction m as [|(z, y') m IH]; intros nodup is; [contradiction|].
  simpl in *. inversion nodup as [|? ? new rest]; subst. destruct is as [same|is].
  - injection same as same1 same2. subst. now rewrite Pos.eqb_refl.
  - destruct (Pos.eqb (key x) (key z)) eqn:same; [|auto].
    apply Pos.eqb_eq, key_inj in same. subst z. exfalso. apply new.
    apply in_map_iff. now exists (x, y).
Qed.

Lemma missing_ok : forall V d missing xs, is_missing missing d V = true ->
  vc_shatters ev D (members V) xs -> length xs <= d.
Proof.
  intros V d missing xs. unfold is_missing. rewrite !lazy_and, all_ok.
  intros ((nodup_dom & absent) & cover) (nodup & ins & labels).
  destruct (le_lt_dec (length xs) d) as [le|lt]; [assumption|exfalso].
  set (among := fun x => existsb (fun z => Pos.eqb (key x) (key z)) xs).
  assert (among_ok : forall x, among x = true <-> In x xs).
  { intros x. unfold among. rewrite existsb_exists. split.
    - intros (z & is & same). apply Pos.eqb_eq, key_inj in same. now subst.
    - intros is. exists x; split; [assumption|apply Pos.eqb_refl]. }
  assert (long : S d <= length (filter among dom)).
  { apply Nat.le_trans with (length xs); [assumption|]. apply NoDup_incl_length; [assumption|].
    intros x is. apply filter_In. split; [now apply ins|now apply among_ok]. }
  assert (begun : exists m rest, In m (map (map fst) missing) /\
    firstn (S d) (filter among dom) = m ++ rest).
  { eapply begins_ok; [exact cover|apply sub_filter|]. rewrite firstn_length. lia. }
  destruct begun as (p & rest & is & same).
  apply in_map_iff in is. destruct is as (m & points & is). subst p.
  specialize (absent m is). apply negb_true_iff in absent.
  destruct (labels (map (label m) xs)) as (c & Vc & agree); [apply map_length|].
  assert (any (induces m) V = true); [|congruence].
  rewrite any_ok. exists c; split; [exact Vc|]. unfold induces. rewrite all_ok.
  intros (x, y) here.
  assert (inside_ : In x (firstn (S d) (filter among dom))).
  { rewrite same. apply in_or_app; left. apply in_map_iff. now exists (x, y). }
  assert (x_in : In x xs).
  { apply among_ok. assert (filtered : In x (filter among dom)).
    { rewrite <- (firstn_skipn (S d)). apply in_or_app. now left. }
    apply filter_In in filtered. apply filtered. }
  replace (ev c x) with (label m x).
  - rewrite (label_ok m x y); [now destruct y| |assumption].
    apply nodup_front with rest. rewrite <- same.
    apply sub_nodup with dom; [apply sub_filter|]. now apply distinct_ok.
  - symmetry. revert x_in. clear - agree. induction xs as [|z xs IH]; [contradiction|].
    simpl in agree. injection agree as here there. intros [same|is]; [now subst|auto].
Qed.
End Rules.
