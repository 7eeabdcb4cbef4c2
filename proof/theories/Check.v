(** Certificates, what each claims, the checker, and the theorem that the checker is sound.

    Fields are those of the file format, [docs/certificates.md]; entries, nodes and concepts are
    numbered from 1, where files count from 0. *)

From Coq Require Import List Bool Arith PArith Lia.
From Lsclasses Require Import Ldim Rules Vc.
Import ListNotations.

Set Implicit Arguments.
Local Open Scope lazy_bool_scope.

(** ** Certificates *)

Section Certificates.
Variable pt : Type.
Notation pairs := (pairs pt).

(** A point, the side that fails, and the entry that refutes it; counting does if there is none. *)
Record step := Step { at_ : pt; side : bool; by_ : option (positive * option pairs) }.
Inductive reason :=
  | Counting
  | Steps (steps : list step) (symmetries : list pairs)
  | Factors (factors : list (positive * pairs)).
Record entry := Entry {
  parent : option positive; given : list (pt * bool); depth : nat; why : reason }.

(** The entries refute depth [bound], one more than the dimension that they are for. *)
Record dag := Dag { bound : nat; entries : list entry }.

Inductive subtree :=
  | ShatteredSet (points : list pt)
  | Below (node : positive) (matching : option pairs).
Record node := Node {
  place : option (positive * bool); root : pt; zero : subtree; one : subtree }.

(** Of a tree that is written out the points stand breadth first, and for every leaf the number of
    a concept; or there are no numbers, and the version spaces at the leaves are not empty. *)
Inductive lower :=
  | Unfolded (depth : nat) (points : list pt) (leaves : option (list positive))
  | Folded (depth : nat) (nodes : list node).
Definition deep (t : lower) : nat :=
  match t with Unfolded d _ _ => d | Folded d _ => d end.

Inductive no_larger := Size | Missing (missing : list (labelling pt)).

Inductive certificate :=
  | LdimAtLeast (tree : lower)
  | LdimAtMost (refuted : dag)
  | LdimIs (tree : lower) (refuted : dag)
  | VcdimAtLeast (points : list pt)
  | VcdimIs (points : list pt) (why_no_larger : no_larger).
End Certificates.

Section Checker.
Variables (pt row : Type) (ev : row -> pt -> bool) (key : pt -> positive).
Hypothesis key_inj : forall x z, key x = key z -> x = z.
Variables (dom : list pt) (C : list row).
Notation D := (fun x => In x dom).
Notation sh := (sh ev).
Notation fails := (fails ev dom).
Notation pick := (pick ev).
Notation inside := (inside key dom).

Definition claim (c : certificate pt) : Prop :=
  match c with
  | LdimAtLeast t => shatters ev D (members C) (deep t)
  | LdimAtMost u => forall k, shatters ev D (members C) k -> k < bound u
  | LdimIs t _ => is_ldim ev D (members C) (deep t)
  | VcdimAtLeast xs => vc_shatters ev D (members C) xs
  | VcdimIs xs _ => is_vcdim ev D (members C) (length xs)
  end.

(** ** Failure DAGs *)

(** A version space, a depth that it fails, and the reason. *)
Notation refuted := (list row * nat * reason pt)%type (only parsing).

(** D2. The numbers go on from [i]; [found] has those before. *)
Fixpoint spaces (es : list (entry pt)) (i : positive) (found : PM.t refuted)
  : option (PM.t refuted) :=
  match es with
  | [] => Some found
  | e :: es' =>
    match parent e with
    | None => None
    | Some p =>
      match PM.find p found with
      | None => None
      | Some (V, _, _) =>
        let W := fold_left (fun V example => pick (fst example) (snd example) V) (given e) V in
        spaces es' (Pos.succ i) (PM.add i (W, depth e, why e) found)
      end
    end
  end.

Definition check_step (M : PM.t refuted) (V : list row) (k : nat) (s : step pt) : bool :=
  inside (at_ s) &&&
  (let S := pick (at_ s) (side s) V in
   match by_ s with
   | None => counting ev dom k S (* D5 *)
   | Some (j, m) => (* D6 *)
     match PM.find j M with
     | None => false
     | Some (W, d, _) => Nat.leb d k &&&
       match m with
       | None => is_part ev dom S W
       | Some m => is_image ev key dom S W m
       end
     end
   end).

Fixpoint factors_depth (M : PM.t refuted) (k : nat) (fs : list (positive * pairs pt)) : option nat :=
  match fs with
  | [] => Some 0
  | (j, _) :: fs' =>
    match PM.find j M, factors_depth M k fs' with
    | Some (_, d, _), Some sum => if Nat.ltb d k then Some (d + sum) else None
    | _, _ => None
    end
  end.

Definition check_factor (M : PM.t refuted) (V : list row) (f : positive * pairs pt) : bool :=
  match PM.find (fst f) M with
  | None => false
  | Some (W, _, _) => in_range key dom (snd f) &&& is_maps ev V W (snd f)
  end.

Definition check_entry (M : PM.t refuted) (e : refuted) : bool :=
  let '(V, k, why) := e in
  match why with
  | Counting _ => counting ev dom k V (* D3 *)
  | Steps ss syms =>
    match k with
    | O => false
    | S k' =>
      all (is_symmetry ev key dom V) syms &&&
      is_covers ev key dom V
        (closure key (length dom) (concat syms) (set_of key (map (@at_ pt) ss))) &&&
      all (check_step M V k') ss
    end
  | Factors fs => (* D7 *)
    match factors_depth M k fs with
    | None => false
    | Some sum => Nat.ltb sum (k + length fs) &&&
      is_covers ev key dom V (set_of key (flat_map (fun f => sources (snd f)) fs)) &&&
      all (check_factor M V) fs
    end
  end.

(** D1, D2 and all entries. *)
Definition check_dag (u : dag pt) : bool :=
  match entries u with
  | Entry None [] k why :: es =>
    Nat.eqb k (bound u) &&&
    match spaces es 2 (PM.add 1%positive (C, k, why) (PM.empty refuted)) with
    | None => false
    | Some M => all (fun ie => check_entry M (snd ie)) (PM.elements M)
    end
  | _ => false
  end.

Lemma spaces_ok : forall es i found M, spaces es i found = Some M ->
  forall j, (j < i)%positive -> PM.find j M = PM.find j found.
Proof.
  intros es; induction es as [|e es IH]; intros i found M; simpl.
  - intros same j _. congruence.
  - destruct (parent e) as [p|]; [|discriminate].
    destruct (PM.find p found) as [((V & k) & why')|]; [|discriminate].
    intros built j lt. rewrite (IH _ _ _ built) by lia. apply PM.gso. lia.
Qed.

Lemma check_step_ok : forall M V k s,
  (forall j W d why, PM.find j M = Some (W, d, why) -> d <= k -> fails W d) ->
  check_step M V k s = true -> settled ev dom V k (at_ s).
Proof.
  intros M V k (x, y, by__) below. unfold check_step; simpl. rewrite lazy_and.
  intros (_ & ok). exists y. intros shattered. apply pick_sh in shattered. revert ok shattered.
  destruct by__ as [(j, m)|]; [|now apply counting_ok].
  destruct (PM.find j M) as [((W & d) & why')|] eqn:found; [|discriminate].
  rewrite lazy_and. intros (le & image). apply Nat.leb_le in le.
  intros shattered. apply (below _ _ _ _ found le). apply (F3 ev D (members W) le).
  destruct m as [m|].
  - now apply (is_image_ok ev key key_inj dom _ _ _ _ image).
  - now apply (is_part_ok ev dom _ _ _ image).
Qed.

Lemma factors_depth_ok : forall M k fs sum, factors_depth M k fs = Some sum ->
  exists ds, length ds = length fs /\ list_sum ds = sum /\
    forall f d, In (f, d) (combine fs ds) ->
      d < k /\ exists W why, PM.find (fst f) M = Some (W, d, why).
Proof.
  intros M k fs; induction fs as [|(j, m) fs IH]; intros sum; simpl.
  - intros same. exists []. split; [reflexivity|]. split; [simpl; congruence|].
    now intros f d [].
  - destruct (PM.find j M) as [((W & d) & why')|] eqn:found; [|discriminate].
    destruct (factors_depth M k fs) as [sum'|]; [|discriminate].
    destruct (Nat.ltb d k) eqn:lt; [|discriminate]. apply Nat.ltb_lt in lt.
    intros same. injection same as same. destruct (IH _ eq_refl) as (ds & len & adds & each).
    exists (d :: ds); split; [simpl; congruence|]. split; [simpl; congruence|].
    intros f d' [here|there]; [|now apply each].
    injection here as here1 here2. subst f d'. split; [assumption|]. now exists W, why'.
Qed.

Lemma check_entry_ok : forall M,
  (forall j e, PM.find j M = Some e -> check_entry M e = true) ->
  forall k j V why, PM.find j M = Some (V, k, why) -> fails V k.
Proof.
  intros M checked k. induction k as [k IH] using lt_wf_ind. intros j V why' found.
  generalize (checked _ _ found). unfold check_entry. destruct why' as [|ss syms|fs].
  - apply counting_ok.
  - destruct k as [|k]; [discriminate|]. rewrite !lazy_and, !all_ok.
    intros ((symmetric & cover) & steps). apply steps_ok.
    refine (is_covers_ok ev key_inj dom V _ cover).
    apply closure_ok; [assumption| |].
    + intros x z b is. apply in_concat in is. destruct is as (m & is_m & is).
      exact (symmetry_ok key key_inj m x b (symmetric m is_m) is).
    + apply holds_set_of. intros x is. apply in_map_iff in is. destruct is as (s & same & is).
      subst x. apply check_step_ok with M; [|now apply steps].
      intros j' W d why'' found' le. apply IH with j' why''; [lia|assumption].
  - destruct (factors_depth M k fs) as [sum|] eqn:depths; [|discriminate].
    rewrite !lazy_and, all_ok. intros ((lt & cover) & factors). apply Nat.ltb_lt in lt.
    destruct (factors_depth_ok _ _ _ depths) as (ds & len & adds & each).
    intros shattered.
    set (groups := map (fun fd : (positive * pairs pt) * nat =>
      ((fun x => In x (sources (snd (fst fd)))), snd fd)) (combine fs ds)).
    assert (k + length groups <= total groups).
    { refine (F6 k (_ : covers ev D (members V) (in_some groups)) _ shattered).
      - refine (is_covers_ok ev key_inj dom V _ cover).
        apply holds_set_of. intros x is. apply in_flat_map in is. destruct is as (f & is_f & is).
        destruct (In_nth fs f f is_f) as (i & lt_i & nth_f).
        exists ((fun x => In x (sources (snd f))), nth i ds 0); split; [|exact is].
        apply in_map_iff. exists (f, nth i ds 0); split; [reflexivity|].
        rewrite <- nth_f at 1. rewrite <- combine_nth by congruence. apply nth_In.
        rewrite combine_length. lia.
      - intros g is. apply in_map_iff in is. destruct is as ((f & d) & same & is). subst g. simpl.
        destruct (each f d is) as (lt_d & W & why'' & found').
        assert (is_f : In f fs) by exact (in_combine_l _ _ _ _ is).
        generalize (factors f is_f). unfold check_factor. rewrite found', lazy_and.
        intros (range & mapped) some. apply (IH d lt_d _ _ _ found'). revert some.
        apply (F5 (matching := related (snd f))).
        + intros x z b. now apply (in_range_ok key).
        + intros x is_x. right; exists x; split; [now apply sources_ok|].
          exists false. intros c _. now destruct (ev c x).
        + now apply is_maps_ok. }
    assert (length groups = length fs).
    { unfold groups. rewrite map_length, combine_length. lia. }
    assert (total groups = sum).
    { unfold total, groups. rewrite map_map. simpl. rewrite <- adds. f_equal.
      clear - len. revert ds len. induction fs as [|f fs IH]; intros [|d ds] len;
        try discriminate; simpl; [reflexivity|]. f_equal. apply IH. simpl in len. congruence. }
    lia.
Qed.

Lemma check_dag_ok : forall u, check_dag u = true -> fails C (bound u).
Proof.
  intros (d & es). unfold check_dag; cbn [entries bound].
  destruct es as [|([p|], [|example examples], k, why') es]; try discriminate.
  rewrite lazy_and. intros (same & ok). apply Nat.eqb_eq in same. subst k.
  destruct (spaces es 2 _) as [M|] eqn:built; [|discriminate]. rewrite all_ok in ok.
  apply check_entry_ok with M 1%positive why'.
  - intros j e found. apply (ok (j, e)). now apply PM.elements_correct.
  - rewrite spaces_ok with (1 := built) by lia. apply PM.gss.
Qed.

(** ** Folded trees *)

(** A version space, the depth of a tree that it shatters, and the node at the root. *)
Notation standing := (list row * nat * node pt)%type (only parsing).

(** G2 and G3. *)
Fixpoint places (ns : list (node pt)) (i : positive) (found : PM.t standing)
  : option (PM.t standing) :=
  match ns with
  | [] => Some found
  | n :: ns' =>
    match place n with
    | None => None
    | Some (p, y) =>
      match PM.find p found with
      | Some (V, S (S k), above) =>
        places ns' (Pos.succ i) (PM.add i (pick (root above) y V, S k, n) found)
      | _ => None
      end
    end
  end.

Definition is_place (n : node pt) (i : positive) (y : bool) : bool :=
  match place n with Some (p, y') => Pos.eqb p i &&& eqb y' y | None => false end.

Definition swap (m : pairs pt) : pairs pt := map (fun p => let '(x, z, b) := p in (z, x, b)) m.

Definition check_subtree (M : PM.t standing) (i : positive) (V : list row) (x : pt) (k : nat)
  (y : bool) (t : subtree pt) : bool :=
  match t with
  | ShatteredSet xs => (* G4 *)
    Nat.eqb (length xs) k &&& all inside xs &&& shset ev xs (pick x y V)
  | Below j None => (* G5 *)
    match PM.find j M with Some (_, _, n) => is_place n i y | None => false end
  | Below j (Some m) => (* G6 *)
    match PM.find j M with
    | Some (W, d, _) => Nat.eqb d k &&& is_image ev key dom W (pick x y V) (swap m)
    | None => false
    end
  end.

Definition check_node (M : PM.t standing) (i : positive) (s : standing) : bool :=
  let '(V, k, n) := s in
  match k with
  | O => false
  | S k' => inside (root n) &&&
    check_subtree M i V (root n) k' false (zero n) &&&
    check_subtree M i V (root n) k' true (one n)
  end.

(** G1. *)
Definition check_folded (k : nat) (ns : list (node pt)) : bool :=
  match k, ns with
  | O, [] => match C with [] => false | _ => true end
  | S _, n :: ns' =>
    match place n with
    | Some _ => false
    | None =>
      match places ns' 2 (PM.add 1%positive (C, k, n) (PM.empty standing)) with
      | None => false
      | Some M => all (fun s => check_node M (fst s) (snd s)) (PM.elements M)
      end
    end
  | _, _ => false
  end.

(** Who has a place has the version space and the depth of that place. *)
Definition consistent (M : PM.t standing) : Prop :=
  forall j V k n, PM.find j M = Some (V, k, n) ->
  match place n with
  | None => True
  | Some (p, y) => exists W above, PM.find p M = Some (W, S k, above) /\ V = pick (root above) y W
  end.

Lemma places_ok : forall ns i found M, places ns i found = Some M ->
  consistent found -> (forall j s, PM.find j found = Some s -> (j < i)%positive) ->
  consistent M /\ forall j, (j < i)%positive -> PM.find j M = PM.find j found.
Proof.
  intros ns; induction ns as [|n ns IH]; intros i found M; simpl.
  - intros same ok _. injection same as same. subst. now split.
  - destruct (place n) as [(p, y)|] eqn:put_; [|discriminate].
    destruct (PM.find p found) as [((V & [|[|k]]) & above)|] eqn:up; try discriminate.
    intros built ok before. destruct (IH _ _ _ built) as (ok' & kept).
    + intros j V' k' n'. destruct (Pos.eq_dec j i) as [same|other].
      * subst j. rewrite PM.gss. intros same. injection same as same1 same2 same3. subst.
        rewrite put_. exists V, above. split; [|reflexivity].
        rewrite PM.gso; [assumption|]. specialize (before _ _ up). lia.
      * rewrite PM.gso by assumption. intros found'. specialize (ok _ _ _ _ found').
        destruct (place n') as [(p' & y')|]; [|exact I].
        destruct ok as (W & above' & up' & same). exists W, above'; split; [|assumption].
        rewrite PM.gso; [assumption|]. specialize (before _ _ up'). lia.
    + intros j s. destruct (Pos.eq_dec j i) as [same|other]; [lia|].
      rewrite PM.gso by assumption. intros found'. specialize (before _ _ found'). lia.
    + split; [assumption|]. intros j lt. rewrite kept by lia. apply PM.gso. lia.
Qed.

Lemma swap_targets : forall m x z b, related (swap m) z x b <-> related m x z b.
Proof.
  intros m x z b. unfold related, swap. rewrite in_map_iff. split.
  - intros (((x' & z') & b') & same & is). congruence.
  - intros is. now exists (x, z, b).
Qed.

Lemma check_node_ok : forall M, consistent M ->
  (forall i s, PM.find i M = Some s -> check_node M i s = true) ->
  forall k i V n, PM.find i M = Some (V, k, n) -> sh D (members V) k.
Proof.
  intros M ok checked k. induction k as [|k IH]; intros i V n found.
  { specialize (checked _ _ found). discriminate. }
  generalize (checked _ _ found). simpl. rewrite !lazy_and. intros ((ins & left) & right).
  exists (root n); split; [now apply (inside_ok key key_inj)|].
  assert (subtree_ok : forall y t, check_subtree M i V (root n) k y t = true ->
    sh D (restrict ev (members V) (root n) y) k).
  { clear left right. intros y [xs|j [m|]]; simpl.
    - rewrite !lazy_and, all_ok. intros ((len & ins') & shat). apply Nat.eqb_eq in len.
      subst k. apply pick_sh, shset_ok; [|assumption].
      intros x is. apply (inside_ok key key_inj). now apply ins'.
    - destruct (PM.find j M) as [((W & d) & n')|] eqn:down; [|discriminate].
      rewrite lazy_and. intros (same & image). apply Nat.eqb_eq in same. subst d.
      apply pick_sh. apply (is_image_ok ev key key_inj dom _ _ _ _ image). now apply IH with j n'.
    - destruct (PM.find j M) as [((W & d) & n')|] eqn:down; [|discriminate].
      unfold is_place. generalize (ok _ _ _ _ down).
      destruct (place n') as [(p & y')|]; [|discriminate].
      intros (U & above & up & same). rewrite lazy_and. intros (here & side_).
      apply Pos.eqb_eq in here. apply eqb_prop in side_. subst p y'.
      rewrite found in up. injection up as same1 same2 same3. subst U d above W.
      apply pick_sh. now apply IH with j n'. }
  intros [|]; eauto.
Qed.

Lemma check_folded_ok : forall k ns, check_folded k ns = true -> sh D (members C) k.
Proof.
  intros [|k] [|n ns]; unfold check_folded; try discriminate.
  - intros nonempty. destruct C as [|c C']; [discriminate|]. exists c; now left.
  - destruct (place n) as [|] eqn:top; [discriminate|].
    destruct (places ns 2 _) as [M|] eqn:built; [|discriminate]. rewrite all_ok.
    intros checked. edestruct places_ok as (ok & kept); [exact built| | |].
    + intros j V k' n'. destruct (Pos.eq_dec j 1) as [same|other].
      * subst j. rewrite PM.gss. intros same. injection same as same1 same2 same3. subst.
        now rewrite top.
      * rewrite PM.gso, PM.gempty by assumption. discriminate.
    + intros j s. destruct (Pos.eq_dec j 1) as [same|other]; [lia|].
      rewrite PM.gso, PM.gempty by assumption. discriminate.
    + apply check_node_ok with M 1%positive n; [assumption| |].
      * intros i s found. apply (checked (i, s)). now apply PM.elements_correct.
      * rewrite kept by lia. apply PM.gss.
Qed.

(** ** Trees that are written out *)

(** The elements with their numbers, from [start] on, and the first number that is left. *)
Definition numbered (A : Type) (start : positive) (l : list A) : positive * PM.t A :=
  fold_left (fun state a => (Pos.succ (fst state), PM.add (fst state) a (snd state))) l
    (start, PM.empty A).
Definition power (d : nat) : positive := Nat.iter d xO 1%positive.

(** The concepts whose numbers are wanted, in one pass through the class. *)
Definition gather (wanted : PM.t unit) : PM.t row :=
  snd (fold_left (fun state c =>
    (Pos.succ (fst state),
     if PM.mem (fst state) wanted then PM.add (fst state) c (snd state) else snd state)) C
    (1%positive, PM.empty row)).

(** T3, by named concepts: breadth first, node [p] has the children [p~0] and [p~1]. *)
Fixpoint named_paths (points : PM.t pt) (leaf : positive -> option row) (k : nat) (p : positive)
  (path : labelling pt) : bool :=
  match k with
  | O => match leaf p with Some c => induces ev path c | None => false end
  | S k' =>
    match PM.find p points with
    | None => false
    | Some x => inside x &&&
      named_paths points leaf k' p~0 ((x, false) :: path) &&&
      named_paths points leaf k' p~1 ((x, true) :: path)
    end
  end.

(** T3, by restriction. *)
Fixpoint followed_paths (points : PM.t pt) (k : nat) (p : positive) (V : list row) : bool :=
  match k with
  | O => match V with [] => false | _ => true end
  | S k' =>
    match PM.find p points with
    | None => false
    | Some x => inside x &&&
      followed_paths points k' p~0 (pick x false V) &&&
      followed_paths points k' p~1 (pick x true V)
    end
  end.

(** T1 and T2, too. *)
Definition check_unfolded (k : nat) (xs : list pt) (leaves : option (list positive)) : bool :=
  let '(next, points) := numbered 1%positive xs in
  Pos.eqb next (power k) &&&
  match leaves with
  | None => followed_paths points k 1%positive C
  | Some names =>
    let '(next', leaf) := numbered (power k) names in
    let concepts := gather (fold_left (fun s i => PM.add i tt s) names (PM.empty unit)) in
    Pos.eqb next' (power (S k)) &&&
    named_paths points
      (fun p => match PM.find p leaf with Some i => PM.find i concepts | None => None end)
      k 1%positive []
  end.

Lemma gather_ok : forall wanted p c, PM.find p (gather wanted) = Some c -> In c C.
Proof.
  intros wanted p c. unfold gather.
  assert (general : forall U state, (forall c, In c U -> In c C) ->
    (forall p c, PM.find p (snd state) = Some c -> In c C) ->
    forall p c, PM.find p (snd (fold_left (fun (state : positive * PM.t row) c =>
      (Pos.succ (fst state),
       if PM.mem (fst state) wanted then PM.add (fst state) c (snd state) else snd state))
      U state)) = Some c -> In c C).
  { induction U as [|a U IH]; intros (i & found) part ok p' c'; simpl; [apply ok|].
    apply IH; [intros; apply part; now right|]. clear p' c'. intros p' c'. simpl.
    destruct (PM.mem i wanted); [|apply ok]. destruct (Pos.eq_dec p' i) as [same|other].
    - subst p'. rewrite PM.gss. intros same. injection same as same. subst. apply part. now left.
    - rewrite PM.gso by assumption. apply ok. }
  apply general; [trivial|]. intros p' c'. simpl. rewrite PM.gempty. discriminate.
Qed.

Lemma named_paths_ok : forall points leaf, (forall p c, leaf p = Some c -> In c C) ->
  forall k p path, named_paths points leaf k p path = true ->
  sh D (fun c => In c C /\ induces ev path c = true) k.
Proof.
  intros points leaf known k; induction k as [|k IH]; intros p path; simpl.
  - destruct (leaf p) as [c|] eqn:named; [|discriminate]. intros ok. exists c; split; eauto.
  - destruct (PM.find p points) as [x|]; [|discriminate]. rewrite !lazy_and.
    intros ((ins & left) & right). exists x; split; [now apply (inside_ok key key_inj)|].
    assert (side_ok : forall q y, named_paths points leaf k q ((x, y) :: path) = true ->
      sh D (restrict ev (fun c => In c C /\ induces ev path c = true) x y) k).
    { intros q y ok. apply sh_mono with (3 := IH _ _ ok); trivial.
      intros c (is & agree). unfold induces in agree. simpl in agree. rewrite lazy_and in agree.
      destruct agree as (label_ & agree). apply eqb_prop in label_. now repeat split. }
    intros [|]; eauto.
Qed.

Lemma followed_paths_ok : forall points k p V, followed_paths points k p V = true ->
  sh D (members V) k.
Proof.
  intros points k; induction k as [|k IH]; intros p V; simpl.
  - destruct V as [|c V]; [discriminate|]. intros _. exists c; now left.
  - destruct (PM.find p points) as [x|]; [|discriminate]. rewrite !lazy_and.
    intros ((ins & left) & right). exists x; split; [now apply (inside_ok key key_inj)|].
    intros [|]; apply pick_sh; eauto.
Qed.

Lemma check_unfolded_ok : forall k xs leaves, check_unfolded k xs leaves = true ->
  sh D (members C) k.
Proof.
  intros k xs leaves. unfold check_unfolded. destruct (numbered 1%positive xs) as (next & points).
  rewrite lazy_and. intros (_ & ok). destruct leaves as [names|].
  - destruct (numbered (power k) names) as (next' & leaf). rewrite lazy_and in ok.
    destruct ok as (_ & ok). apply named_paths_ok in ok.
    + revert ok. apply sh_mono; trivial. now intros c (is & _).
    + intros p c. destruct (PM.find p leaf); [|discriminate]. apply gather_ok.
  - now apply followed_paths_ok with points 1%positive.
Qed.

(** ** The checker *)

Definition check_lower (t : lower pt) : bool :=
  match t with
  | Unfolded k xs leaves => check_unfolded k xs leaves
  | Folded k ns => check_folded k ns
  end.

Definition check (c : certificate pt) : bool :=
  match c with
  | LdimAtLeast t => check_lower t
  | LdimAtMost u => check_dag u
  | LdimIs t u => Nat.eqb (S (deep t)) (bound u) &&& check_lower t &&& check_dag u
  | VcdimAtLeast xs => is_set ev key dom xs C
  | VcdimIs xs why_no => is_set ev key dom xs C &&&
    match why_no with
    | Size _ => few (fun _ => true) (S (length xs)) C (* U1 *)
    | Missing missing => is_missing ev key dom missing (length xs) C
    end
  end.

Lemma check_lower_ok : forall t, check_lower t = true -> shatters ev D (members C) (deep t).
Proof.
  intros [k xs leaves|k ns] ok; apply shatters_sh.
  - now apply check_unfolded_ok with xs leaves.
  - now apply check_folded_ok with ns.
Qed.

Lemma at_most : forall u, check_dag u = true ->
  forall k, shatters ev D (members C) k -> k < bound u.
Proof.
  intros u ok k shattered. destruct (le_lt_dec (bound u) k) as [le|lt]; [exfalso|assumption].
  apply (check_dag_ok _ ok). apply F3 with k; [assumption|]. now apply shatters_sh.
Qed.

Theorem check_sound : forall c, check c = true -> claim c.
Proof.
  intros [t|u|t u|xs|xs why_no]; unfold check, claim.
  - apply check_lower_ok.
  - apply at_most.
  - rewrite !lazy_and. intros ((meet & low) & high). apply Nat.eqb_eq in meet.
    split; [now apply check_lower_ok|]. intros k shattered.
    specialize (at_most _ high shattered). lia.
  - now apply is_set_ok.
  - rewrite lazy_and. intros (set_ & none).
    split; [exists xs; split; [reflexivity|]; now apply (is_set_ok ev key key_inj)|].
    intros zs. destruct why_no as [|missing].
    + now apply size_ok.
    + now apply (missing_ok key key_inj dom _ _ none).
Qed.
End Checker.
