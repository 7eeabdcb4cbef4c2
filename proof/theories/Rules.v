(** The rules of a certificate as computable functions, each with the proof that it is sound.

    Points and rows stay abstract: whoever runs the rules says how a row is read ([ev]) and gives
    every point a number of its own ([key]). Classes are lists of rows. *)

From Coq Require Import List Bool Arith PArith Lia FMapPositive.
From Lsclasses Require Import Ldim.
Import ListNotations.
Module PM := PositiveMap.

Set Implicit Arguments.
Local Open Scope lazy_bool_scope.

(** Like [forallb] and [existsb], but lazy also where [andb] and [orb] are not. *)
Fixpoint all {A} (f : A -> bool) (l : list A) : bool :=
  match l with [] => true | a :: l' => f a &&& all f l' end.
Fixpoint any {A} (f : A -> bool) (l : list A) : bool :=
  match l with [] => false | a :: l' => f a ||| any f l' end.

Lemma lazy_and : forall a b : bool, a &&& b = true <-> a = true /\ b = true.
Proof. intros [|] [|]; split; try intros (? & ?); try split; trivial; discriminate. Qed.
Lemma lazy_or : forall a b : bool, a ||| b = true <-> a = true \/ b = true.
Proof. intros [|] [|]; split; auto; intros [|]; trivial. Qed.

Lemma all_ok : forall A (f : A -> bool) l, all f l = true <-> forall a, In a l -> f a = true.
Proof.
  intros A f l; induction l as [|a l IH]; simpl; [split; [contradiction|trivial]|].
  rewrite lazy_and, IH. split.
  - intros (here & there) a' [same|is]; [now subst|auto].
  - auto.
Qed.
Lemma any_ok : forall A (f : A -> bool) l, any f l = true <-> exists a, In a l /\ f a = true.
Proof.
  intros A f l; induction l as [|a l IH]; simpl; [split; [discriminate|intros (? & [] & _)]|].
  rewrite lazy_or, IH. split.
  - intros [here|(a' & is & there)]; eauto.
  - intros (a' & [same|is] & true_); [left; now subst|right; eauto].
Qed.

Section Rules.
Variables (pt row : Type) (ev : row -> pt -> bool) (key : pt -> positive).
Hypothesis key_inj : forall x z, key x = key z -> x = z.
Variable dom : list pt.
Notation D := (fun x => In x dom).
Notation sh := (sh ev).

Definition members (V : list row) : row -> Prop := fun c => In c V.
Notation "⟦ V ⟧" := (members V).
Definition fails (V : list row) (k : nat) : Prop := ~ sh D ⟦V⟧ k.

(** ** Restrictions *)

(** Not [filter]: this one takes no stack, however many rows there are. *)
Definition pick (x : pt) (y : bool) (V : list row) : list row :=
  fold_left (fun found c => if eqb (ev c x) y then c :: found else found) V [].

Lemma pick_ok : forall x y V c, In c (pick x y V) <-> restrict ev ⟦V⟧ x y c.
Proof.
  intros x y V c. unfold pick, restrict, members.
  assert (general : forall found, In c (fold_left
    (fun found c => if eqb (ev c x) y then c :: found else found) V found)
    <-> In c found \/ In c V /\ ev c x = y).
  { induction V as [|a V IH]; intros found; simpl; [tauto|]. rewrite IH.
    destruct (eqb (ev a x) y) eqn:label.
    - apply eqb_prop in label. simpl. intuition (subst; auto).
    - apply eqb_false_iff in label. intuition (subst; auto; congruence). }
  rewrite general. simpl. tauto.
Qed.

Lemma pick_sh : forall E x y V k, sh E ⟦pick x y V⟧ k <-> sh E (restrict ev ⟦V⟧ x y) k.
Proof. intros E x y V k. split; apply sh_mono; trivial; intros c; apply pick_ok. Qed.

Lemma root_fails : forall V k,
  (forall x, In x dom -> exists y, fails (pick x y V) k) -> fails V (S k).
Proof.
  intros V k sides (x & Dx & both). destruct (sides x Dx) as (y & fails_).
  apply fails_, pick_sh, both.
Qed.

(** ** Sets of points *)

Definition pset : Type := PM.t pt.
Definition put (S : pset) (x : pt) : pset := PM.add (key x) x S.
Definition mem (x : pt) (S : pset) : bool :=
  match PM.find (key x) S with Some _ => true | None => false end.
Definition set_of (xs : list pt) : pset := fold_left put xs (PM.empty pt).
Definition points (S : pset) : list pt := map snd (PM.elements S).
Definition holds (P : pt -> Prop) (S : pset) : Prop :=
  forall p x, PM.find p S = Some x -> p = key x /\ P x.

Lemma holds_empty : forall P, holds P (PM.empty pt).
Proof. intros P p x. rewrite PM.gempty. discriminate. Qed.

Lemma holds_put : forall P S x, holds P S -> P x -> holds P (put S x).
Proof.
  intros P S x ok Px p x'. unfold put. destruct (Pos.eq_dec p (key x)) as [same|other].
  - subst p. rewrite PM.gss. intros same. injection same as same. now subst.
  - rewrite PM.gso by assumption. apply ok.
Qed.

Lemma holds_set_of : forall (P : pt -> Prop) xs, (forall x, In x xs -> P x) -> holds P (set_of xs).
Proof.
  intros P xs. unfold set_of. generalize (PM.empty pt), (holds_empty P).
  induction xs as [|x xs IH]; intros S ok is; simpl; [assumption|].
  apply IH; [|intros; apply is; now right]. apply holds_put; [assumption|]. apply is; now left.
Qed.

Lemma mem_ok : forall P S x, holds P S -> mem x S = true -> P x.
Proof.
  intros P S x ok. unfold mem. destruct (PM.find (key x) S) as [x'|] eqn:found; [|discriminate].
  intros _. destruct (ok _ _ found) as (same & Px'). apply key_inj in same. now subst.
Qed.

Lemma points_ok : forall P S x, holds P S -> In x (points S) -> P x.
Proof.
  intros P S x ok is. unfold points in is. apply in_map_iff in is.
  destruct is as ((p & x') & same & is). simpl in same. subst x'.
  apply PM.elements_complete in is. now apply (ok p).
Qed.

Definition domain : pset := set_of dom.
Definition inside (x : pt) : bool := mem x domain.

Lemma inside_ok : forall x, inside x = true -> In x dom.
Proof. intros x. apply (mem_ok (P := D)), holds_set_of. trivial. Qed.

(** ** Columns *)

Definition is_constant (V : list row) (x : pt) : bool :=
  match V with [] => true | c :: _ => let y := ev c x in all (fun c' => eqb (ev c' x) y) V end.
Definition is_alike (V : list row) (x z : pt) : bool :=
  match V with
  | [] => true
  | c :: _ => let s := xorb (ev c x) (ev c z) in
    all (fun c' => eqb (ev c' x) (xorb (ev c' z) s)) V
  end.
Definition is_covers (V : list row) (S : pset) : bool :=
  all (fun x => mem x S ||| is_constant V x ||| any (is_alike V x) (points S)) dom.

Lemma is_constant_ok : forall V x, is_constant V x = true -> constant ev ⟦V⟧ x.
Proof.
  intros [|c V] x; [exists true; contradiction|]. unfold is_constant. rewrite all_ok.
  intros same. exists (ev c x). intros c' is. apply eqb_prop. now apply same.
Qed.

Lemma is_alike_ok : forall V x z, is_alike V x z = true -> alike ev ⟦V⟧ x z.
Proof.
  intros [|c V] x z; [exists true; contradiction|]. unfold is_alike. rewrite all_ok.
  intros same. exists (xorb (ev c x) (ev c z)). intros c' is. apply eqb_prop. now apply same.
Qed.

Lemma is_covers_ok : forall P V S, holds P S -> is_covers V S = true -> covers ev D ⟦V⟧ P.
Proof.
  intros P V S ok. unfold is_covers. rewrite all_ok. intros checked x Dx.
  specialize (checked x Dx). rewrite !lazy_or, any_ok in checked.
  destruct checked as [[listed|same]|(z & is & like)].
  - right; exists x; split; [now apply mem_ok with S|]. exists false. intros c _.
    now destruct (ev c x).
  - left; now apply is_constant_ok.
  - right; exists z; split; [now apply points_ok with S|]. now apply is_alike_ok.
Qed.

(** ** Matchings *)

(** A source, its target, and whether the labels are complemented. *)
Definition pair : Type := (pt * pt * bool)%type.
Definition pairs : Type := list pair.
Definition related (m : pairs) (x z : pt) (b : bool) : Prop := In (x, z, b) m.
Definition sources (m : pairs) : list pt := map (fun p => fst (fst p)) m.
Definition targets (m : pairs) : list pt := map (fun p => snd (fst p)) m.
Definition identity : pairs := map (fun x => (x, x, false)) dom.
Definition in_range (m : pairs) : bool := all inside (targets m).

Lemma sources_ok : forall m x, In x (sources m) -> source (related m) x.
Proof.
  intros m x is. apply in_map_iff in is. destruct is as (((x' & z) & b) & same & is).
  simpl in same. subst x'. now exists z, b.
Qed.
Lemma in_range_ok : forall m x z b, in_range m = true -> related m x z b -> In z dom.
Proof.
  intros m x z b. unfold in_range. rewrite all_ok. intros ok is. apply inside_ok, ok.
  apply in_map_iff. exists (x, z, b). now split.
Qed.

(** A tree of rows by their labels at some points. Only that what is found was put in, and gives
    the points these labels, needs proof: the order of the points is for speed. *)
Inductive trie := Empty | One (c : row) | Fork (zero one : trie).

Fixpoint apart (zs : list pt) (c c' : row) : trie :=
  match zs with
  | [] => One c
  | z :: zs' =>
    match ev c z, ev c' z with
    | false, true => Fork (One c) (One c')
    | true, false => Fork (One c') (One c)
    | false, false => Fork (apart zs' c c') Empty
    | true, true => Fork Empty (apart zs' c c')
    end
  end.

Fixpoint insert (zs : list pt) (c : row) (t : trie) : trie :=
  match t, zs with
  | Empty, _ => One c
  | One c', _ => apart zs c' c
  | Fork zero one, z :: zs' =>
    if ev c z then Fork zero (insert zs' c one) else Fork (insert zs' c zero) one
  | Fork _ _, [] => t
  end.

Fixpoint find (m : pairs) (c : row) (t : trie) : option row :=
  match t, m with
  | Empty, _ => None
  | One c', _ => Some c'
  | Fork zero one, (x, _, b) :: m' => find m' c (if xorb (ev c x) b then one else zero)
  | Fork _ _, [] => None
  end.

Fixpoint stored (P : row -> Prop) (t : trie) : Prop :=
  match t with Empty => True | One c => P c | Fork zero one => stored P zero /\ stored P one end.

Lemma apart_ok : forall (P : row -> Prop) zs c c', P c -> P c' -> stored P (apart zs c c').
Proof.
  intros P zs; induction zs as [|z zs IH]; intros c c' Pc Pc'; simpl; [assumption|].
  destruct (ev c z), (ev c' z); simpl; auto.
Qed.
Lemma insert_ok : forall (P : row -> Prop) zs c t, P c -> stored P t -> stored P (insert zs c t).
Proof.
  intros P zs; induction zs as [|z zs IH]; intros c [|c'|zero one] Pc ok; simpl; trivial.
  - now apply (apart_ok P (z :: zs)).
  - destruct ok. destruct (ev c z); simpl; auto.
Qed.
Lemma find_ok : forall P m c t c', stored P t -> find m c t = Some c' -> P c'.
Proof.
  intros P m; induction m as [|((x & z) & b) m IH]; intros c [|c''|zero one] c' ok; simpl;
    try discriminate; try (intros same; injection same as same; now subst).
  intros found. destruct ok. revert found. destruct (xorb (ev c x) b); now apply IH.
Qed.

Definition trie_of (m : pairs) (W : list row) : trie :=
  let zs := targets m in fold_left (fun t c => insert zs c t) W Empty.

Lemma trie_of_ok : forall m W, stored ⟦W⟧ (trie_of m W).
Proof.
  intros m W. unfold trie_of.
  assert (general : forall U t, (forall c, In c U -> In c W) -> stored ⟦W⟧ t ->
    stored ⟦W⟧ (fold_left (fun t c => insert (targets m) c t) U t)).
  { induction U as [|c U IH]; intros t part ok; simpl; [assumption|].
    apply IH; [intros; apply part; now right|]. apply insert_ok; [|assumption].
    apply part; now left. }
  apply general; [trivial|exact I].
Qed.

Definition agrees (m : pairs) (c c' : row) : bool :=
  all (fun p => let '(x, z, b) := p in eqb (ev c' z) (xorb (ev c x) b)) m.
Definition is_maps (V W : list row) (m : pairs) : bool :=
  let t := trie_of m W in
  all (fun c => match find m c t with Some c' => agrees m c c' | None => false end) V.

Lemma is_maps_ok : forall V W m, is_maps V W m = true -> maps ev ev (related m) ⟦V⟧ ⟦W⟧.
Proof.
  intros V W m. unfold is_maps. rewrite all_ok. intros checked c Vc.
  specialize (checked c Vc). destruct (find m c (trie_of m W)) as [c'|] eqn:found; [|discriminate].
  exists c'; split; [exact (find_ok _ _ _ _ (trie_of_ok m W) found)|].
  unfold agrees in checked. rewrite all_ok in checked. intros x z b is.
  apply eqb_prop. exact (checked _ is).
Qed.

(** D6, G6: a matching of [V] into [W], of which all columns of [V] take part. *)
Definition is_image (V W : list row) (m : pairs) : bool :=
  in_range m &&& is_covers V (set_of (sources m)) &&& is_maps V W m.

Lemma is_image_ok : forall V W m k, is_image V W m = true -> sh D ⟦V⟧ k -> sh D ⟦W⟧ k.
Proof.
  intros V W m k. unfold is_image. rewrite !lazy_and. intros ((range & cover) & mapped).
  apply (F5 (matching := related m)).
  - intros x z b. now apply in_range_ok.
  - apply is_covers_ok with (2 := cover), holds_set_of, sources_ok.
  - now apply is_maps_ok.
Qed.

(** D6 without a matching: a part of [W], as far as its labels go. *)
Definition is_part (V W : list row) : bool := is_maps V W identity.

Lemma is_part_ok : forall V W k, is_part V W = true -> sh D ⟦V⟧ k -> sh D ⟦W⟧ k.
Proof.
  intros V W k mapped. apply (F5 (matching := related identity)).
  - intros x z b is. apply in_map_iff in is. destruct is as (x' & same & is). congruence.
  - intros x Dx. right; exists x; split.
    + exists x, false. apply in_map_iff. now exists x.
    + exists false. intros c _. now destruct (ev c x).
  - now apply is_maps_ok.
Qed.

(** ** Counting *)

(** What is left of [V] after [2 ^ k] rows of which [f] is true; nothing if there are fewer. *)
Fixpoint many (f : row -> bool) (k : nat) (V : list row) : option (list row) :=
  match k with
  | O => (fix seek V := match V with
          | [] => None | c :: V' => if f c then Some V' else seek V' end) V
  | S k' => match many f k' V with Some V' => many f k' V' | None => None end
  end.
Definition few (f : row -> bool) (k : nat) (V : list row) : bool :=
  match many f k V with Some _ => false | None => true end.

Lemma many_ok : forall f k V,
  match many f k V with
  | Some V' => length (filter f V) = 2 ^ k + length (filter f V')
  | None => length (filter f V) < 2 ^ k
  end.
Proof.
  intros f k; induction k as [|k IH]; intros V.
  - simpl. induction V as [|c V IHV]; simpl; [lia|]. destruct (f c); simpl; [reflexivity|].
    exact IHV.
  - simpl. generalize (IH V). destruct (many f k V) as [V'|]; [|lia].
    generalize (IH V'). destruct (many f k V'); lia.
Qed.

(** C1. *)
Lemma few_ok : forall f k V, few f k V = true -> ~ sh D (fun c => In c V /\ f c = true) k.
Proof.
  intros f k V is shattered. unfold few in is. generalize (many_ok f k V).
  destruct (many f k V); [discriminate|].
  assert (2 ^ k <= length (filter f V)); [|lia].
  apply (F4 ev D). revert shattered. apply sh_mono; trivial. intros c. apply filter_In.
Qed.

Definition ruling : Type := nat -> list row -> bool.

(** C2 to C4: every point has a side that is too small, or that one of [below] refutes. *)
Definition ahead (below : list ruling) : ruling := fun k V =>
  match k with
  | O => false
  | S k' => all (fun x : pt =>
      few (fun c : row => ev c x) k' V ||| few (fun c : row => negb (ev c x)) k' V |||
      match below with
      | [] => false
      | _ => let zero := pick x false V in let one := pick x true V in
        any (fun f : ruling => f k' zero ||| f k' one) below
      end) dom
  end.
Fixpoint rulings (h : nat) : list ruling :=
  match h with O => [] | S h' => let below := rulings h' in below ++ [ahead below] end.

Definition look_ahead : nat := 3.
Definition counting (k : nat) (V : list row) : bool :=
  few (fun _ => true) k V ||| any (fun f : ruling => f k V) (rulings look_ahead).

Definition sound (f : ruling) : Prop := forall k V, f k V = true -> fails V k.

Lemma ahead_ok : forall below, (forall f, In f below -> sound f) -> sound (ahead below).
Proof.
  intros below ok [|k] V; [discriminate|]. unfold ahead. rewrite all_ok. intros checked.
  apply root_fails. intros x Dx. specialize (checked x Dx). rewrite !lazy_or in checked.
  destruct checked as [[one|zero]|deeper].
  - exists true. intros shattered. apply (few_ok _ _ _ one). revert shattered.
    apply sh_mono; trivial. intros c is. apply pick_ok in is. exact is.
  - exists false. intros shattered. apply (few_ok _ _ _ zero). revert shattered.
    apply sh_mono; trivial. intros c is. apply pick_ok in is. destruct is as (is & label).
    split; [exact is|]. now rewrite label.
  - assert (found : any (fun f : ruling => f k (pick x false V) ||| f k (pick x true V)) below = true)
      by (destruct below; [discriminate|exact deeper]).
    rewrite any_ok in found. destruct found as (f & is & side). apply lazy_or in side.
    destruct side; [exists false|exists true]; now apply (ok f).
Qed.

Lemma rulings_ok : forall h f, In f (rulings h) -> sound f.
Proof.
  intros h; induction h as [|h IH]; intros f; [contradiction|]. simpl.
  intros is. apply in_app_or in is. destruct is as [is|[same|[]]]; [auto|].
  subst f. now apply ahead_ok.
Qed.

(** C1 to C4. *)
Lemma counting_ok : sound counting.
Proof.
  intros k V. unfold counting. rewrite lazy_or, any_ok. intros [small|(f & is & ok)].
  - intros shattered. apply (few_ok _ _ _ small). revert shattered.
    apply sh_mono; trivial. intros c is. now split.
  - now apply (rulings_ok look_ahead f).
Qed.

(** ** Steps and symmetries *)

(** The point [x] cannot be the root of a tree of depth [k + 1]. *)
Definition settled (V : list row) (k : nat) (x : pt) : Prop :=
  exists y, ~ sh D (restrict ev ⟦V⟧ x y) k.

(** D4. *)
Lemma steps_ok : forall V k, covers ev D ⟦V⟧ (settled V k) -> fails V (S k).
Proof.
  intros V k cover (x & Dx & sides).
  destruct (cover x Dx) as [same|(z & (y & fails_) & s & all)].
  - revert same. apply not_constant. intros y. exact (sh_inhabited (sides y)).
  - apply fails_. apply sh_mono with (3 := sides (xorb y s)); trivial.
    intros c. now apply alike_side.
Qed.

(** D8. *)
Definition is_symmetry (V : list row) (m : pairs) : bool := is_image V V m.

Lemma symmetry_ok : forall V m k x z b, is_symmetry V m = true -> In (x, z, b) m ->
  settled V k z -> settled V k x.
Proof.
  intros V m k x z b. unfold is_symmetry, is_image. rewrite !lazy_and.
  intros ((range & cover) & mapped) is (y & fails_). exists (xorb y b). intros shattered.
  apply fails_. revert shattered. apply (F5 (matching := related m)).
  - intros x' z' b'. now apply in_range_ok.
  - apply covers_part with ⟦V⟧; [now intros c (Vc & _)|].
    apply is_covers_ok with (2 := cover), holds_set_of, sources_ok.
  - intros c (Vc & label). destruct (is_maps_ok _ _ _ mapped _ Vc) as (c' & Wc' & agree).
    exists c'; split; [|exact agree]. split; [assumption|].
    rewrite (agree _ _ _ is), label. now destruct y, b.
Qed.

(** One round: the sources of all settled targets, and whether any was new. *)
Definition carry (state : pset * bool) (p : pair) : pset * bool :=
  let '(x, z, _) := p in let '(U, grown) := state in
  if mem z U &&& negb (mem x U) then (put U x, true) else state.
Fixpoint closure (rounds : nat) (ps : pairs) (U : pset) : pset :=
  match rounds with
  | O => U
  | S rounds' => let '(U', grown) := fold_left carry ps (U, false) in
    if grown then closure rounds' ps U' else U'
  end.

Lemma closure_ok : forall (P : pt -> Prop) (ps : pairs),
  (forall x z b, In (x, z, b) ps -> P z -> P x) ->
  forall rounds U, holds P U -> holds P (closure rounds ps U).
Proof.
  intros P ps back.
  assert (round : forall qs state, (forall p, In p qs -> In p ps) -> holds P (fst state) ->
    holds P (fst (fold_left carry qs state))).
  { induction qs as [|((x & z) & b) qs IH]; intros (U & grown) part ok; simpl; [assumption|].
    apply IH; [intros; apply part; now right|].
    destruct (mem z U &&& negb (mem x U)) eqn:new; [|assumption]. apply lazy_and in new.
    simpl. apply holds_put; [assumption|].
    apply back with z b; [apply part; now left|]. now apply mem_ok with U. }
  intros rounds; induction rounds as [|rounds IH]; intros U ok; simpl; [assumption|].
  generalize (round ps (U, false) (fun _ is => is) ok).
  destruct (fold_left carry ps (U, false)) as (U' & [|]); auto.
Qed.

(** ** Shattered sets and trees *)

(** G4, S2: [V] gives the points all labellings. *)
Fixpoint shset (xs : list pt) (V : list row) : bool :=
  match xs with
  | [] => match V with [] => false | _ => true end
  | x :: xs' => shset xs' (pick x false V) &&& shset xs' (pick x true V)
  end.

Lemma shset_ok : forall xs V, (forall x, In x xs -> In x dom) -> shset xs V = true ->
  sh D ⟦V⟧ (length xs).
Proof.
  intros xs; induction xs as [|x xs IH]; intros V ins; simpl.
  - destruct V as [|c V]; [discriminate|]. intros _. exists c; now left.
  - rewrite lazy_and. intros (zero & one).
    exists x; split; [apply ins; now left|]. intros y. apply pick_sh, IH.
    + intros; apply ins; now right.
    + now destruct y.
Qed.
End Rules.
