-- lsclasses: Ldim = 5 and VCdim = 4 of decision-lists:n=3, 96 concepts on 8 points.
-- Check this file: lean FILE.lean (Lean 4, without mathlib).

noncomputable section -- Lean evaluates the functions in its kernel and compiles no code.
namespace Exported

/-! ## Definitions -/

/-- The number of elements. -/
def len {α : Type} : List α → Nat
  | .nil => .zero
  | .cons _ l => .succ (len l)

/-- The concept c is in the list. -/
def In (c : Nat) : List Nat → Prop
  | .nil => False
  | .cons d C => Or (Eq d c) (In c C)

/-- `yes` if b is true, else `no`. -/
def pick {α : Type} (b : Bool) (yes no : α) : α := match b with
  | .true => yes
  | .false => no

/-- The label of the point x: digit x of the binary number c, counted from 0 and from the right. -/
def label (c x : Nat) : Bool := Nat.beq (Nat.mod (Nat.div c (Nat.pow 2 x)) 2) 1

/-- The label 0 of the point x leads to the subtree zero, the label 1 to the subtree one. -/
inductive Tree where
  | leaf : Tree
  | node (x : Nat) (zero one : Tree) : Tree

/-- Every branch of the tree has d points, and all points are less than n. -/
def Complete (n : Nat) : Nat → Tree → Prop
  | .zero, .leaf => True
  | .succ d, .node x zero one =>
    And (Nat.le (.succ x) n) (And (Complete n d zero) (Complete n d one))
  | _, _ => False

/-- The branch with the labels p exists, and the concept c has these labels at its points. -/
def Follows (c : Nat) : List Bool → Tree → Prop
  | .nil, .leaf => True
  | .cons y p, .node x zero one => And (Eq (label c x) y) (Follows c p (pick y one zero))
  | _, _ => False

/-- C shatters the tree t of depth d: for every branch, some concept of C follows the branch. -/
def ShattersTree (n : Nat) (C : List Nat) (t : Tree) (d : Nat) : Prop :=
  And (Complete n d t) (∀ p, Eq (len p) d → Exists fun c => And (In c C) (Follows c p t))

/-- The Littlestone dimension of the concepts C on the points 0, ..., n - 1 is d. -/
structure IsLdim (n : Nat) (C : List Nat) (d : Nat) : Prop where
  lower : Exists fun t => ShattersTree n C t d
  upper : ∀ t k, ShattersTree n C t k → Nat.le k d

/-- For every labelling f of the set X of points, some concept of C agrees with f on X. -/
def ShattersSet (n : Nat) (C : List Nat) (X : Nat → Bool) : Prop :=
  ∀ f : Nat → Bool, Exists fun c =>
    And (In c C) (∀ x, Nat.le (.succ x) n → Eq (X x) .true → Eq (label c x) (f x))

/-- The number of points less than n in the set X. -/
def size (X : Nat → Bool) : Nat → Nat
  | .zero => .zero
  | .succ n => pick (X n) (.succ (size X n)) (size X n)

/-- The VC dimension of the concepts C on the points 0, ..., n - 1 is d. -/
structure IsVcdim (n : Nat) (C : List Nat) (d : Nat) : Prop where
  lower : Exists fun X => And (ShattersSet n C X) (Eq (size X n) d)
  upper : ∀ X, ShattersSet n C X → Nat.le (size X n) d

/-! ## Checker -/

def both (a b : Bool) : Bool := pick a b .false
def either (a b : Bool) : Bool := pick a .true b
def same (a b : Bool) : Bool := pick a b (pick b .false .true)
def equal : Nat → Nat → Bool
  | .zero, .zero => .true
  | .succ a, .succ b => equal a b
  | _, _ => .false
def less : Nat → Nat → Bool
  | .zero, .succ _ => .true
  | .succ a, .succ b => less a b
  | _, _ => .false
def pow2 : Nat → Nat
  | .zero => 1
  | .succ k => Nat.add (pow2 k) (pow2 k)
def fewer (V : List Nat) (k : Nat) : Bool := less (len V) (pow2 k)
def every (P : Nat → Bool) : Nat → Bool
  | .zero => .true
  | .succ n => both (P n) (every P n)

def side (x : Nat) (y : Bool) : List Nat → List Nat
  | .nil => .nil
  | .cons c V => pick (same (label c x) y) (.cons c (side x y V)) (side x y V)
def checkTree (n : Nat) : Tree → List Nat → Nat → Bool
  | .leaf, V, .zero => less .zero (len V)
  | .node x zero one, V, .succ d => both (less x n)
      (both (checkTree n zero (side x .false V) d) (checkTree n one (side x .true V) d))
  | _, _, _ => .false

/-- A side y of a point that shatters no tree of the depth `fails` of an entry, because the side has
too few concepts, or because the concepts of the entry j lines below contain the side. -/
inductive Step where
  | count (y : Bool) : Step
  | below (y : Bool) (j : Nat) : Step
structure Given where
  point : Nat
  label : Bool
/-- The concepts with the given labels shatter no tree of depth `fails + 1`. There is a step for
each point. -/
structure Entry where
  given : List Given
  fails : Nat
  steps : List Step

def agrees (c : Nat) : List Given → Bool
  | .nil => .true
  | .cons g l => both (same (label c g.point) g.label) (agrees c l)
def space (l : List Given) : List Nat → List Nat
  | .nil => .nil
  | .cons c V => pick (agrees c l) (.cons c (space l V)) (space l V)
def allAgree (l : List Given) : List Nat → Bool
  | .nil => .true
  | .cons c V => both (agrees c l) (allAgree l V)
def refuted (V : List Nat) (k : Nat) : List Entry → Nat → Bool
  | .nil, _ => .false
  | .cons e _, .zero => both (equal (.succ e.fails) k) (allAgree e.given V)
  | .cons _ below, .succ j => refuted V k below j
def checkStep (V : List Nat) (k x : Nat) (below : List Entry) : Step → Bool
  | .count y => fewer (side x y V) k
  | .below _ .zero => .false
  | .below y (.succ j) => refuted (side x y V) k below j
def stepAt : List Step → Nat → Step
  | .nil, _ => .count .false
  | .cons s _, .zero => s
  | .cons _ l, .succ x => stepAt l x
def checkDag (n : Nat) (C : List Nat) : List Entry → Bool
  | .nil => .true
  | .cons e below => both (checkDag n C below)
      (every (fun x => checkStep (space e.given C) e.fails x below (stepAt e.steps x)) n)
def checkTop (C : List Nat) (d : Nat) : List Entry → Bool
  | .nil => fewer C (.succ d)
  | .cons e _ => both (equal e.fails d) (allAgree e.given C)
def checkLdim (n : Nat) (C : List Nat) (t : Tree) (dag : List Entry) (d : Nat) : Bool :=
  both (checkTree n t C d) (both (checkDag n C dag) (checkTop C d dag))

def checkSet (X : Nat → Bool) : Nat → List Nat → Bool
  | .zero, V => less .zero (len V)
  | .succ n, V => pick (X n)
      (both (checkSet X n (side n .false V)) (checkSet X n (side n .true V))) (checkSet X n V)
def cells (x : Nat) : List (List Nat) → List (List Nat)
  | .nil => .nil
  | .cons V l => .cons (side x .false V) (.cons (side x .true V) (cells x l))
def someFewer (k : Nat) : List (List Nat) → Bool
  | .nil => .false
  | .cons V l => either (fewer V k) (someFewer k l)
/-- No set of k of the points less than n is shattered by every list of concepts. -/
def noSet : Nat → Nat → List (List Nat) → Bool
  | .zero, .succ _, _ => .true
  | .succ n, .succ k, l => either (someFewer (.succ k) l)
      (both (noSet n (.succ k) l) (noSet n k (cells n l)))
  | _, .zero, l => someFewer .zero l
def checkVcdim (n : Nat) (C : List Nat) (X : Nat → Bool) (d : Nat) : Bool :=
  both (checkSet X n C) (both (equal (size X n) d) (noSet n (.succ d) (.cons C .nil)))

/-! ## Soundness -/

theorem both_left {a b : Bool} : Eq (both a b) .true → Eq a .true := match a with
  | .true => fun _ => rfl
  | .false => fun h => h
theorem both_right {a b : Bool} : Eq (both a b) .true → Eq b .true := match a with
  | .true => fun h => h
  | .false => fun h => Bool.noConfusion h
theorem either_or {a b : Bool} : Eq (either a b) .true → Or (Eq a .true) (Eq b .true) :=
  match a with
  | .true => fun _ => .inl rfl
  | .false => .inr
theorem same_eq : (a b : Bool) → Eq (same a b) .true → Eq a b
  | .true, .true, _ => rfl
  | .false, .false, _ => rfl
  | .true, .false, h => Bool.noConfusion h
  | .false, .true, h => Bool.noConfusion h
theorem same_self : (a : Bool) → Eq (same a a) .true
  | .true => rfl
  | .false => rfl
theorem equal_eq : (a b : Nat) → Eq (equal a b) .true → Eq a b
  | .zero, .zero, _ => rfl
  | .succ a, .succ b, h => congrArg Nat.succ (equal_eq a b h)
  | .zero, .succ _, h => Bool.noConfusion h
  | .succ _, .zero, h => Bool.noConfusion h
theorem equal_self : (a : Nat) → Eq (equal a a) .true
  | .zero => rfl
  | .succ a => equal_self a

theorem zero_le : (a : Nat) → Nat.le .zero a
  | .zero => .refl
  | .succ a => .step (zero_le a)
theorem succ_le {a b : Nat} : Nat.le a b → Nat.le (.succ a) (.succ b)
  | .refl => .refl
  | .step h => .step (succ_le h)
theorem le_trans {a b c : Nat} : Nat.le a b → Nat.le b c → Nat.le a c
  | h, .refl => h
  | h, .step l => .step (le_trans h l)
theorem le_of_succ {a b : Nat} : Nat.le (.succ a) (.succ b) → Nat.le a b
  | .refl => .refl
  | .step h => le_trans (.step .refl) h
theorem total : (a b : Nat) → Or (Nat.le a b) (Nat.le (.succ b) a)
  | .zero, b => .inl (zero_le b)
  | .succ a, .zero => .inr (succ_le (zero_le a))
  | .succ a, .succ b => match total a b with
    | .inl h => .inl (succ_le h)
    | .inr h => .inr (succ_le h)
theorem le_add {a b c : Nat} (h : Nat.le a c) : {d : Nat} → Nat.le b d →
    Nat.le (Nat.add a b) (Nat.add c d)
  | _, .step l => .step (le_add h l)
  | _, .refl => add b
where add : (b : Nat) → Nat.le (Nat.add a b) (Nat.add c b)
  | .zero => h
  | .succ b => succ_le (add b)
theorem succ_add (a : Nat) : (b : Nat) → Eq (Nat.add (.succ a) b) (.succ (Nat.add a b))
  | .zero => rfl
  | .succ b => congrArg Nat.succ (succ_add a b)
theorem pow2_le {a b : Nat} : Nat.le a b → Nat.le (pow2 a) (pow2 b)
  | .refl => .refl
  | .step l => le_trans (pow2_le l) (le_add .refl (zero_le _))
theorem less_lt : (a b : Nat) → Eq (less a b) .true → Nat.le (.succ a) b
  | .zero, .succ b, _ => succ_le (zero_le b)
  | .succ a, .succ b, h => succ_le (less_lt a b h)
  | .zero, .zero, h => Bool.noConfusion h
  | .succ _, .zero, h => Bool.noConfusion h
theorem not_lt_zero {a : Nat} {C : Prop} (h : Nat.le (.succ a) .zero) : C :=
  have positive : {b : Nat} → Nat.le (.succ a) b → match b with
      | .zero => False
      | .succ _ => True := fun h => match h with
    | .refl => True.intro
    | .step _ => True.intro
  (positive h).elim
theorem not_le : (a b : Nat) → Nat.le (.succ a) b → Nat.le b a → False
  | _, .zero, h, _ => not_lt_zero h
  | .zero, .succ _, _, h => not_lt_zero h
  | .succ a, .succ b, h, l => not_le a b (le_of_succ h) (le_of_succ l)
theorem lt_unequal : (a b : Nat) → Nat.le (.succ a) b → Eq (equal a b) .false
  | _, .zero, h => not_lt_zero h
  | .zero, .succ _, _ => rfl
  | .succ a, .succ b, h => lt_unequal a b (le_of_succ h)
theorem every_at {P : Nat → Bool} : (n x : Nat) → Eq (every P n) .true → Nat.le (.succ x) n →
    Eq (P x) .true
  | .zero, _, _, l => not_lt_zero l
  | .succ _, _, h, .refl => both_left h
  | .succ n, x, h, .step l => every_at n x (both_right h) l

theorem mem_pick {c d : Nat} {W : List Nat} : (b : Bool) →
    Or (And (Eq b .true) (Eq d c)) (In c W) → In c (pick b (.cons d W) W)
  | .true, .inl h => .inl h.right
  | .true, .inr m => .inr m
  | .false, .inl h => Bool.noConfusion h.left
  | .false, .inr m => m
theorem pick_mem {c d : Nat} {W : List Nat} : (b : Bool) → In c (pick b (.cons d W) W) →
    Or (And (Eq b .true) (Eq d c)) (In c W)
  | .true, .inl e => .inl ⟨rfl, e⟩
  | .true, .inr m => .inr m
  | .false, m => .inr m
theorem mem_side {c x : Nat} {y : Bool} : (V : List Nat) → In c V → Eq (label c x) y →
    In c (side x y V)
  | .nil, m, _ => m
  | .cons _ _, .inl rfl, l => mem_pick _ (.inl ⟨l ▸ same_self _, rfl⟩)
  | .cons _ V, .inr m, l => mem_pick _ (.inr (mem_side V m l))
theorem side_mem {c x : Nat} {y : Bool} : (V : List Nat) → In c (side x y V) →
    And (In c V) (Eq (label c x) y)
  | .nil, m => m.elim
  | .cons d V, m => match pick_mem (same (label d x) y) m with
    | .inl ⟨e, rfl⟩ => ⟨.inl rfl, same_eq _ _ e⟩
    | .inr m => ⟨.inr (side_mem V m).left, (side_mem V m).right⟩
theorem mem_space {c : Nat} {l : List Given} : (V : List Nat) → In c V →
    Eq (agrees c l) .true → In c (space l V)
  | .nil, m, _ => m
  | .cons _ _, .inl rfl, a => mem_pick _ (.inl ⟨a, rfl⟩)
  | .cons _ V, .inr m, a => mem_pick _ (.inr (mem_space V m a))
theorem space_mem {c : Nat} {l : List Given} : (V : List Nat) → In c (space l V) → In c V
  | .nil, m => m
  | .cons d V, m => match pick_mem (agrees d l) m with
    | .inl h => .inl h.right
    | .inr m => .inr (space_mem V m)
theorem agrees_at {c : Nat} {l : List Given} : (V : List Nat) → Eq (allAgree l V) .true →
    In c V → Eq (agrees c l) .true
  | .nil, _, m => m.elim
  | .cons _ _, h, .inl rfl => both_left h
  | .cons _ V, h, .inr m => agrees_at V (both_right h) m
theorem some_mem : (V : List Nat) → Eq (less .zero (len V)) .true → Exists fun c => In c V
  | .nil, h => Bool.noConfusion h
  | .cons c _, _ => ⟨c, .inl rfl⟩
theorem nonempty {c : Nat} : (V : List Nat) → In c V → Nat.le 1 (len V)
  | .nil, m => m.elim
  | .cons _ V, _ => succ_le (zero_le (len V))
theorem sides (x : Nat) : (V : List Nat) →
    Eq (Nat.add (len (side x .false V)) (len (side x .true V))) (len V)
  | .nil => rfl
  | .cons c V => (split (label c x)).trans (congrArg Nat.succ (sides x V))
where split {c : Nat} {A B : List Nat} : (b : Bool) →
      Eq (Nat.add (len (pick (same b .false) (.cons c A) A))
        (len (pick (same b .true) (.cons c B) B))) (.succ (Nat.add (len A) (len B)))
  | .false => succ_add _ _
  | .true => rfl

theorem node_side {n x d : Nat} {V : List Nat} {zero one : Tree}
    (h : ShattersTree n V (.node x zero one) (.succ d)) (y : Bool) :
    ShattersTree n (side x y V) (pick y one zero) d :=
  ⟨match y with
    | .false => h.left.right.left
    | .true => h.left.right.right,
  fun p e => match h.right (.cons y p) (congrArg Nat.succ e) with
    | ⟨c, m, l, f⟩ => ⟨c, mem_side V m l, f⟩⟩
theorem side_node {n x d : Nat} {V : List Nat} {zero one : Tree} (small : Nat.le (.succ x) n)
    (h : ∀ y, ShattersTree n (side x y V) (pick y one zero) d) :
    ShattersTree n V (.node x zero one) (.succ d) :=
  ⟨⟨small, (h .false).left, (h .true).left⟩, fun p => match p with
    | .nil => fun e => Nat.noConfusion e
    | .cons y p => fun e => match (h y).right p (Nat.noConfusion e fun e => e) with
      | ⟨c, m, f⟩ => ⟨c, (side_mem V m).left, (side_mem V m).right, f⟩⟩
theorem leaf_shattered {n c : Nat} {V : List Nat} (m : In c V) : ShattersTree n V .leaf .zero :=
  ⟨True.intro, fun p => match p with
    | .nil => fun _ => ⟨c, m, True.intro⟩
    | .cons _ _ => fun e => Nat.noConfusion e⟩
theorem tree_sound {n : Nat} : (t : Tree) → (V : List Nat) → (d : Nat) →
    Eq (checkTree n t V d) .true → ShattersTree n V t d
  | .leaf, V, .zero, h => match some_mem V h with
    | ⟨_, m⟩ => leaf_shattered m
  | .node _ zero one, _, .succ d, h => side_node (less_lt _ _ (both_left h)) fun y => match y with
    | .false => tree_sound zero _ d (both_left (both_right h))
    | .true => tree_sound one _ d (both_right (both_right h))
  | .leaf, _, .succ _, h => Bool.noConfusion h
  | .node .., _, .zero, h => Bool.noConfusion h
theorem tree_count {n : Nat} : (t : Tree) → (V : List Nat) → (k : Nat) →
    ShattersTree n V t k → Nat.le (pow2 k) (len V)
  | .leaf, V, .zero, h => match h.right .nil rfl with
    | ⟨_, m, _⟩ => nonempty V m
  | .node x zero one, V, .succ k, h => sides x V ▸
      le_add (tree_count zero _ k (node_side h .false)) (tree_count one _ k (node_side h .true))
  | .leaf, _, .succ _, h => h.left.elim
  | .node .., _, .zero, h => h.left.elim
theorem tree_pred {n : Nat} : (t : Tree) → (V : List Nat) → (k : Nat) →
    ShattersTree n V t (.succ k) → Exists fun s => ShattersTree n V s k
  | .leaf, _, _, h => h.left.elim
  | .node .., V, .zero, h => match (node_side h .true).right .nil rfl with
    | ⟨_, m, _⟩ => ⟨.leaf, leaf_shattered (side_mem V m).left⟩
  | .node x zero one, _, .succ k, h =>
    match tree_pred zero _ k (node_side h .false), tree_pred one _ k (node_side h .true) with
    | ⟨z, hz⟩, ⟨o, ho⟩ => ⟨.node x z o, side_node h.left.left fun y => match y with
      | .false => hz
      | .true => ho⟩
theorem deeper {n d : Nat} {C : List Nat} (none : ∀ t, ShattersTree n C t (.succ d) → False) :
    {k : Nat} → Nat.le (.succ d) k → ∀ t, ShattersTree n C t k → False
  | _, .refl => none
  | _, .step l => fun t h => match tree_pred t C _ h with
    | ⟨s, h⟩ => deeper none l s h

def Sound (n : Nat) (C : List Nat) : List Entry → Prop
  | .nil => True
  | .cons e l =>
    And (∀ t, ShattersTree n (space e.given C) t (.succ e.fails) → False) (Sound n C l)
theorem shrink {n k : Nat} {V W : List Nat} {t : Tree} (h : ShattersTree n V t k)
    (sub : ∀ c, In c V → In c W) : ShattersTree n W t k :=
  ⟨h.left, fun p e => match h.right p e with
    | ⟨c, m, f⟩ => ⟨c, sub c m, f⟩⟩
theorem refuted_sound {n k : Nat} {C V : List Nat} (sub : ∀ c, In c V → In c C) :
    (l : List Entry) → (j : Nat) → Sound n C l → Eq (refuted V k l j) .true →
    ∀ t, ShattersTree n V t k → False
  | .nil, _, _, h => Bool.noConfusion h
  | .cons _ _, .zero, s, h => fun t st => s.left t (equal_eq _ _ (both_left h) ▸
      shrink st fun c m => mem_space C (sub c m) (agrees_at V (both_right h) m))
  | .cons _ l, .succ j, s, h => refuted_sound sub l j s.right h
theorem step_sound {n k x : Nat} {C V : List Nat} {l : List Entry} (s : Sound n C l)
    (sub : ∀ c, In c V → In c C) : (step : Step) → Eq (checkStep V k x l step) .true →
    Exists fun y => ∀ t, ShattersTree n (side x y V) t k → False
  | .count y, h => ⟨y, fun t st => not_le _ _ (less_lt _ _ h) (tree_count t _ k st)⟩
  | .below y (.succ j), h =>
    ⟨y, refuted_sound (fun c m => sub c (side_mem V m).left) l j s h⟩
  | .below _ .zero, h => Bool.noConfusion h
theorem dag_sound {n : Nat} {C : List Nat} : (l : List Entry) → Eq (checkDag n C l) .true →
    Sound n C l
  | .nil, _ => True.intro
  | .cons _ l, h => ⟨fun t => match t with
    | .leaf => fun st => st.left.elim
    | .node x _ _ => fun st => match step_sound (dag_sound l (both_left h))
        (fun _ => space_mem C) _ (every_at n x (both_right h) st.left.left) with
      | ⟨y, no⟩ => no _ (node_side st y), dag_sound l (both_left h)⟩
theorem top_sound {n d : Nat} {C : List Nat} : (l : List Entry) → Sound n C l →
    Eq (checkTop C d l) .true → ∀ t, ShattersTree n C t (.succ d) → False
  | .nil, _, h => fun t st => not_le _ _ (less_lt _ _ h) (tree_count t C _ st)
  | .cons _ _, s, h => fun t st => s.left t (equal_eq _ _ (both_left h) ▸
      shrink st fun _ m => mem_space C m (agrees_at C (both_right h) m))
theorem checkLdim_sound {n d : Nat} {C : List Nat} {t : Tree} {dag : List Entry}
    (h : Eq (checkLdim n C t dag d) .true) : IsLdim n C d :=
  ⟨⟨t, tree_sound t C d (both_left h)⟩, fun s k st => match total k d with
    | .inl l => l
    | .inr l => (deeper (top_sound dag (dag_sound dag (both_left (both_right h)))
        (both_right (both_right h))) l s st).elim⟩

def AllShatter (n : Nat) (X : Nat → Bool) : List (List Nat) → Prop
  | .nil => True
  | .cons V l => And (ShattersSet n V X) (AllShatter n X l)
theorem set_side {n : Nat} {V : List Nat} {X : Nat → Bool} (here : Eq (X n) .true)
    (h : ShattersSet (.succ n) V X) (y : Bool) : ShattersSet n (side n y V) X :=
  fun f => match h (fun x => pick (equal x n) y (f x)) with
    | ⟨c, m, a⟩ => ⟨c, mem_side V m ((a n .refl here).trans
        (congrArg (fun b => pick b y (f n)) (equal_self n))), fun x l on => (a x (.step l) on).trans
        (congrArg (fun b => pick b y (f x)) (lt_unequal x n l))⟩
theorem set_skip {n : Nat} {V : List Nat} {X : Nat → Bool} (h : ShattersSet (.succ n) V X) :
    ShattersSet n V X :=
  fun f => match h f with
    | ⟨c, m, a⟩ => ⟨c, m, fun x l => a x (.step l)⟩
theorem set_count {X : Nat → Bool} : (n : Nat) → (V : List Nat) → ShattersSet n V X →
    Nat.le (pow2 (size X n)) (len V)
  | .zero, V, h => match h (fun _ => .true) with
    | ⟨_, m, _⟩ => nonempty V m
  | .succ n, V, h =>
    have by_label : (b : Bool) → Eq (X n) b →
        Nat.le (pow2 (pick b (.succ (size X n)) (size X n))) (len V) := fun b => match b with
      | .true => fun on => sides n V ▸
          le_add (set_count n _ (set_side on h .false)) (set_count n _ (set_side on h .true))
      | .false => fun _ => set_count n V (set_skip h)
    by_label (X n) rfl
theorem fewer_size {n k : Nat} {X : Nat → Bool} : (l : List (List Nat)) → AllShatter n X l →
    Eq (someFewer k l) .true → Nat.le (.succ (size X n)) k
  | .nil, _, h => Bool.noConfusion h
  | .cons V l, s, h => match either_or h with
    | .inr h => fewer_size l s.right h
    | .inl h => match total k (size X n) with
      | .inr l => l
      | .inl l => (not_le _ _ (less_lt _ _ h) (le_trans (pow2_le l) (set_count n V s.left))).elim
theorem cells_shatter {n : Nat} {X : Nat → Bool} (on : Eq (X n) .true) :
    (l : List (List Nat)) → AllShatter (.succ n) X l → AllShatter n X (cells n l)
  | .nil, _ => True.intro
  | .cons _ l, s =>
    ⟨set_side on s.left .false, set_side on s.left .true, cells_shatter on l s.right⟩
theorem all_skip {n : Nat} {X : Nat → Bool} : (l : List (List Nat)) →
    AllShatter (.succ n) X l → AllShatter n X l
  | .nil, _ => True.intro
  | .cons _ l, s => ⟨set_skip s.left, all_skip l s.right⟩
theorem noSet_sound {X : Nat → Bool} : (n k : Nat) → (l : List (List Nat)) →
    Eq (noSet n k l) .true → AllShatter n X l → Nat.le (.succ (size X n)) k
  | .zero, .succ k, _, _, _ => succ_le (zero_le k)
  | .zero, .zero, l, h, s => fewer_size l s h
  | .succ _, .zero, l, h, s => fewer_size l s h
  | .succ n, .succ k, l, h, s => match either_or h with
    | .inl h => fewer_size l s h
    | .inr h =>
      have by_label : (b : Bool) → Eq (X n) b →
          Nat.le (.succ (pick b (.succ (size X n)) (size X n))) (.succ k) := fun b => match b with
        | .true => fun on => succ_le (noSet_sound n k _ (both_right h) (cells_shatter on l s))
        | .false => fun _ => noSet_sound n (.succ k) l (both_left h) (all_skip l s)
      by_label (X n) rfl
theorem set_sound {X : Nat → Bool} : (n : Nat) → (V : List Nat) →
    Eq (checkSet X n V) .true → ShattersSet n V X
  | .zero, V, h => fun _ => match some_mem V h with
    | ⟨c, m⟩ => ⟨c, m, fun _ l => not_lt_zero l⟩
  | .succ n, V, h =>
    have by_label : (b : Bool) → Eq (X n) b → Eq (pick b (both (checkSet X n (side n .false V))
        (checkSet X n (side n .true V))) (checkSet X n V)) .true → ShattersSet (.succ n) V X :=
      fun b => match b with
      | .true => fun _ h f =>
        have sub : (y : Bool) → ShattersSet n (side n y V) X := fun y => match y with
          | .false => set_sound n _ (both_left h)
          | .true => set_sound n _ (both_right h)
        match sub (f n) f with
        | ⟨c, m, a⟩ => ⟨c, (side_mem V m).left, fun x l => match x, l with
          | _, .refl => fun _ => (side_mem V m).right
          | x, .step l => a x l⟩
      | .false => fun off h f => match set_sound n V h f with
        | ⟨c, m, a⟩ => ⟨c, m, fun x l => match x, l with
          | _, .refl => fun on => Bool.noConfusion (off.symm.trans on)
          | x, .step l => a x l⟩
    by_label (X n) rfl h
theorem checkVcdim_sound {n d : Nat} {C : List Nat} {X : Nat → Bool}
    (h : Eq (checkVcdim n C X d) .true) : IsVcdim n C d :=
  ⟨⟨X, set_sound n C (both_left h), equal_eq _ _ (both_left (both_right h))⟩, fun _ s =>
    le_of_succ (noSet_sound n (.succ d) _ (both_right (both_right h)) ⟨s, True.intro⟩)⟩

/-! ## Table -/

-- 0: [0, 0, 0]
-- 1: [0, 0, 1]
-- 2: [0, 1, 0]
-- 3: [0, 1, 1]
-- 4: [1, 0, 0]
-- 5: [1, 0, 1]
-- 6: [1, 1, 0]
-- 7: [1, 1, 1]
def points : Nat := 8
def concepts : List Nat :=
  .cons 0b00000000 (  -- 0
  .cons 0b10000000 (  -- 1
  .cons 0b01000000 (  -- 2
  .cons 0b11000000 (  -- 3
  .cons 0b00100000 (  -- 4
  .cons 0b10100000 (  -- 5
  .cons 0b11100000 (  -- 6
  .cons 0b00010000 (  -- 7
  .cons 0b01010000 (  -- 8
  .cons 0b11010000 (  -- 9
  .cons 0b00110000 (  -- 10
  .cons 0b10110000 (  -- 11
  .cons 0b01110000 (  -- 12
  .cons 0b11110000 (  -- 13
  .cons 0b00001000 (  -- 14
  .cons 0b10001000 (  -- 15
  .cons 0b11001000 (  -- 16
  .cons 0b10101000 (  -- 17
  .cons 0b11111000 (  -- 18
  .cons 0b00000100 (  -- 19
  .cons 0b01000100 (  -- 20
  .cons 0b11000100 (  -- 21
  .cons 0b01010100 (  -- 22
  .cons 0b11110100 (  -- 23
  .cons 0b00001100 (  -- 24
  .cons 0b10001100 (  -- 25
  .cons 0b01001100 (  -- 26
  .cons 0b11001100 (  -- 27
  .cons 0b11101100 (  -- 28
  .cons 0b11011100 (  -- 29
  .cons 0b11111100 (  -- 30
  .cons 0b00000010 (  -- 31
  .cons 0b00100010 (  -- 32
  .cons 0b10100010 (  -- 33
  .cons 0b00110010 (  -- 34
  .cons 0b11110010 (  -- 35
  .cons 0b00001010 (  -- 36
  .cons 0b10001010 (  -- 37
  .cons 0b00101010 (  -- 38
  .cons 0b10101010 (  -- 39
  .cons 0b11101010 (  -- 40
  .cons 0b10111010 (  -- 41
  .cons 0b11111010 (  -- 42
  .cons 0b00001110 (  -- 43
  .cons 0b11001110 (  -- 44
  .cons 0b10101110 (  -- 45
  .cons 0b11101110 (  -- 46
  .cons 0b11111110 (  -- 47
  .cons 0b00000001 (  -- 48
  .cons 0b00010001 (  -- 49
  .cons 0b01010001 (  -- 50
  .cons 0b00110001 (  -- 51
  .cons 0b11110001 (  -- 52
  .cons 0b00000101 (  -- 53
  .cons 0b01000101 (  -- 54
  .cons 0b00010101 (  -- 55
  .cons 0b01010101 (  -- 56
  .cons 0b11010101 (  -- 57
  .cons 0b01110101 (  -- 58
  .cons 0b11110101 (  -- 59
  .cons 0b00001101 (  -- 60
  .cons 0b11001101 (  -- 61
  .cons 0b01011101 (  -- 62
  .cons 0b11011101 (  -- 63
  .cons 0b11111101 (  -- 64
  .cons 0b00000011 (  -- 65
  .cons 0b00100011 (  -- 66
  .cons 0b00010011 (  -- 67
  .cons 0b00110011 (  -- 68
  .cons 0b10110011 (  -- 69
  .cons 0b01110011 (  -- 70
  .cons 0b11110011 (  -- 71
  .cons 0b00001011 (  -- 72
  .cons 0b10101011 (  -- 73
  .cons 0b00111011 (  -- 74
  .cons 0b10111011 (  -- 75
  .cons 0b11111011 (  -- 76
  .cons 0b00000111 (  -- 77
  .cons 0b01010111 (  -- 78
  .cons 0b00110111 (  -- 79
  .cons 0b01110111 (  -- 80
  .cons 0b11110111 (  -- 81
  .cons 0b00001111 (  -- 82
  .cons 0b10001111 (  -- 83
  .cons 0b01001111 (  -- 84
  .cons 0b11001111 (  -- 85
  .cons 0b00101111 (  -- 86
  .cons 0b10101111 (  -- 87
  .cons 0b11101111 (  -- 88
  .cons 0b00011111 (  -- 89
  .cons 0b01011111 (  -- 90
  .cons 0b11011111 (  -- 91
  .cons 0b00111111 (  -- 92
  .cons 0b10111111 (  -- 93
  .cons 0b01111111 (  -- 94
  .cons 0b11111111 (  -- 95
  .nil))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))

/-! ## Evidence -/

def shatteredTree : Tree :=
  (.node 0 (.node 3 (.node 5 (.node 6 (.node 1 .leaf .leaf) (.node 2 .leaf .leaf)) (.node 4 (.node 1 .leaf .leaf) (.node 6 .leaf .leaf))) (.node 1 (.node 2 (.node 5 .leaf .leaf) (.node 4 .leaf .leaf)) (.node 2 (.node 4 .leaf .leaf) (.node 5 .leaf .leaf)))) (.node 3 (.node 1 (.node 2 (.node 5 .leaf .leaf) (.node 4 .leaf .leaf)) (.node 2 (.node 4 .leaf .leaf) (.node 5 .leaf .leaf))) (.node 5 (.node 4 (.node 6 .leaf .leaf) (.node 1 .leaf .leaf)) (.node 6 (.node 2 .leaf .leaf) (.node 1 .leaf .leaf)))))
def failureDag : List Entry :=
  .cons ⟨.nil, 5, (.cons (.below .false 1) (.cons (.below .false 2) (.cons (.below .false 3) (.cons (.below .false 4) (.cons (.below .false 5) (.cons (.below .false 6) (.cons (.below .false 7) (.cons (.below .false 8) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨0, .false⟩ .nil), 4, (.cons (.count .true) (.cons (.below .true 8) (.cons (.below .true 9) (.cons (.below .false 10) (.cons (.below .true 11) (.cons (.below .false 12) (.cons (.below .false 13) (.cons (.below .false 14) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨1, .false⟩ .nil), 4, (.cons (.below .true 14) (.cons (.count .true) (.cons (.below .false 15) (.cons (.below .true 16) (.cons (.below .false 17) (.cons (.below .true 18) (.cons (.below .false 19) (.cons (.below .false 20) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨2, .false⟩ .nil), 4, (.cons (.below .true 20) (.cons (.below .false 14) (.cons (.count .true) (.cons (.below .true 21) (.cons (.below .false 22) (.cons (.below .false 23) (.cons (.below .true 24) (.cons (.below .false 25) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨3, .false⟩ .nil), 4, (.cons (.below .false 7) (.cons (.below .true 25) (.cons (.below .true 26) (.cons (.count .true) (.cons (.below .false 27) (.cons (.below .false 28) (.cons (.below .false 29) (.cons (.below .true 30) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨4, .false⟩ .nil), 4, (.cons (.below .true 30) (.cons (.below .false 14) (.cons (.below .false 20) (.cons (.below .false 26) (.cons (.count .true) (.cons (.below .true 31) (.cons (.below .true 32) (.cons (.below .false 33) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨5, .false⟩ .nil), 4, (.cons (.below .false 7) (.cons (.below .true 33) (.cons (.below .false 20) (.cons (.below .false 26) (.cons (.below .true 34) (.cons (.count .true) (.cons (.below .false 35) (.cons (.below .true 36) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨6, .false⟩ .nil), 4, (.cons (.below .false 7) (.cons (.below .false 14) (.cons (.below .true 36) (.cons (.below .false 26) (.cons (.below .true 37) (.cons (.below .false 34) (.cons (.count .true) (.cons (.below .true 38) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨7, .false⟩ .nil), 4, (.cons (.below .false 7) (.cons (.below .false 14) (.cons (.below .false 20) (.cons (.below .true 38) (.cons (.below .false 30) (.cons (.below .true 39) (.cons (.below .true 40) (.cons (.count .true) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨0, .false⟩ (.cons ⟨1, .true⟩ .nil)), 3, (.cons (.count .true) (.cons (.count .false) (.cons (.count .true) (.cons (.count .false) (.cons (.count .true) (.cons (.count .false) (.cons (.count .true) (.cons (.count .false) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨0, .false⟩ (.cons ⟨2, .true⟩ .nil)), 3, (.cons (.count .true) (.cons (.count .true) (.cons (.count .false) (.cons (.count .false) (.cons (.count .true) (.cons (.count .true) (.cons (.count .false) (.cons (.count .false) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨0, .false⟩ (.cons ⟨3, .false⟩ .nil)), 3, (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.below .true 38) (.cons (.below .false 39) (.cons (.below .false 40) (.cons (.below .true 41) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨0, .false⟩ (.cons ⟨4, .true⟩ .nil)), 3, (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .false) (.cons (.count .false) (.cons (.count .false) (.cons (.count .false) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨0, .false⟩ (.cons ⟨5, .false⟩ .nil)), 3, (.cons (.count .true) (.cons (.count .true) (.cons (.below .true 40) (.cons (.below .false 37) (.cons (.count .true) (.cons (.count .true) (.cons (.below .false 41) (.cons (.below .true 42) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨0, .false⟩ (.cons ⟨6, .false⟩ .nil)), 3, (.cons (.count .true) (.cons (.below .true 42) (.cons (.count .true) (.cons (.below .false 37) (.cons (.count .true) (.cons (.below .false 40) (.cons (.count .true) (.cons (.below .true 43) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨0, .false⟩ (.cons ⟨7, .false⟩ .nil)), 3, (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨1, .false⟩ (.cons ⟨0, .true⟩ .nil)), 3, (.cons (.count .false) (.cons (.count .true) (.cons (.count .false) (.cons (.count .true) (.cons (.count .false) (.cons (.count .true) (.cons (.count .false) (.cons (.count .true) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨1, .false⟩ (.cons ⟨2, .false⟩ .nil)), 3, (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.below .false 41) (.cons (.below .true 42) (.cons (.below .true 43) (.cons (.below .false 44) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨1, .false⟩ (.cons ⟨3, .true⟩ .nil)), 3, (.cons (.count .true) (.cons (.count .true) (.cons (.count .false) (.cons (.count .false) (.cons (.count .true) (.cons (.count .true) (.cons (.count .false) (.cons (.count .false) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨1, .false⟩ (.cons ⟨4, .false⟩ .nil)), 3, (.cons (.count .true) (.cons (.count .true) (.cons (.below .false 39) (.cons (.below .true 43) (.cons (.count .true) (.cons (.count .true) (.cons (.below .true 44) (.cons (.below .false 45) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨1, .false⟩ (.cons ⟨5, .true⟩ .nil)), 3, (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .false) (.cons (.count .false) (.cons (.count .false) (.cons (.count .false) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨1, .false⟩ (.cons ⟨6, .false⟩ .nil)), 3, (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨1, .false⟩ (.cons ⟨7, .false⟩ .nil)), 3, (.cons (.below .true 43) (.cons (.count .true) (.cons (.below .false 39) (.cons (.count .true) (.cons (.below .false 42) (.cons (.count .true) (.cons (.below .true 44) (.cons (.count .true) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨2, .false⟩ (.cons ⟨0, .true⟩ .nil)), 3, (.cons (.count .false) (.cons (.count .false) (.cons (.count .true) (.cons (.count .true) (.cons (.count .false) (.cons (.count .false) (.cons (.count .true) (.cons (.count .true) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨2, .false⟩ (.cons ⟨3, .true⟩ .nil)), 3, (.cons (.count .true) (.cons (.count .false) (.cons (.count .true) (.cons (.count .false) (.cons (.count .true) (.cons (.count .false) (.cons (.count .true) (.cons (.count .false) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨2, .false⟩ (.cons ⟨4, .false⟩ .nil)), 3, (.cons (.count .true) (.cons (.below .false 33) (.cons (.count .true) (.cons (.below .true 42) (.cons (.count .true) (.cons (.below .true 43) (.cons (.count .true) (.cons (.below .false 44) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨2, .false⟩ (.cons ⟨5, .false⟩ .nil)), 3, (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨2, .false⟩ (.cons ⟨6, .true⟩ .nil)), 3, (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .false) (.cons (.count .false) (.cons (.count .false) (.cons (.count .false) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨2, .false⟩ (.cons ⟨7, .false⟩ .nil)), 3, (.cons (.below .true 42) (.cons (.below .false 33) (.cons (.count .true) (.cons (.count .true) (.cons (.below .false 41) (.cons (.below .true 43) (.cons (.count .true) (.cons (.count .true) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨3, .false⟩ (.cons ⟨1, .true⟩ .nil)), 3, (.cons (.count .false) (.cons (.count .false) (.cons (.count .true) (.cons (.count .true) (.cons (.count .false) (.cons (.count .false) (.cons (.count .true) (.cons (.count .true) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨3, .false⟩ (.cons ⟨2, .true⟩ .nil)), 3, (.cons (.count .false) (.cons (.count .true) (.cons (.count .false) (.cons (.count .true) (.cons (.count .false) (.cons (.count .true) (.cons (.count .false) (.cons (.count .true) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨3, .false⟩ (.cons ⟨4, .false⟩ .nil)), 3, (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨3, .false⟩ (.cons ⟨5, .false⟩ .nil)), 3, (.cons (.below .false 18) (.cons (.count .true) (.cons (.below .true 40) (.cons (.count .true) (.cons (.below .true 41) (.cons (.count .true) (.cons (.below .false 42) (.cons (.count .true) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨3, .false⟩ (.cons ⟨6, .false⟩ .nil)), 3, (.cons (.below .false 18) (.cons (.below .true 42) (.cons (.count .true) (.cons (.count .true) (.cons (.below .true 43) (.cons (.below .false 41) (.cons (.count .true) (.cons (.count .true) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨3, .false⟩ (.cons ⟨7, .true⟩ .nil)), 3, (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .false) (.cons (.count .false) (.cons (.count .false) (.cons (.count .false) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨4, .false⟩ (.cons ⟨0, .true⟩ .nil)), 3, (.cons (.count .false) (.cons (.count .false) (.cons (.count .false) (.cons (.count .false) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨4, .false⟩ (.cons ⟨5, .true⟩ .nil)), 3, (.cons (.count .true) (.cons (.count .false) (.cons (.count .true) (.cons (.count .false) (.cons (.count .true) (.cons (.count .false) (.cons (.count .true) (.cons (.count .false) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨4, .false⟩ (.cons ⟨6, .true⟩ .nil)), 3, (.cons (.count .true) (.cons (.count .true) (.cons (.count .false) (.cons (.count .false) (.cons (.count .true) (.cons (.count .true) (.cons (.count .false) (.cons (.count .false) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨4, .false⟩ (.cons ⟨7, .false⟩ .nil)), 3, (.cons (.below .true 39) (.cons (.below .false 26) (.cons (.below .false 31) (.cons (.below .true 40) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨5, .false⟩ (.cons ⟨1, .true⟩ .nil)), 3, (.cons (.count .false) (.cons (.count .false) (.cons (.count .false) (.cons (.count .false) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨5, .false⟩ (.cons ⟨4, .true⟩ .nil)), 3, (.cons (.count .false) (.cons (.count .true) (.cons (.count .false) (.cons (.count .true) (.cons (.count .false) (.cons (.count .true) (.cons (.count .false) (.cons (.count .true) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨5, .false⟩ (.cons ⟨6, .false⟩ .nil)), 3, (.cons (.below .false 13) (.cons (.below .true 38) (.cons (.below .true 39) (.cons (.below .false 33) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨5, .false⟩ (.cons ⟨7, .true⟩ .nil)), 3, (.cons (.count .true) (.cons (.count .true) (.cons (.count .false) (.cons (.count .false) (.cons (.count .true) (.cons (.count .true) (.cons (.count .false) (.cons (.count .false) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨6, .false⟩ (.cons ⟨2, .true⟩ .nil)), 3, (.cons (.count .false) (.cons (.count .false) (.cons (.count .false) (.cons (.count .false) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨6, .false⟩ (.cons ⟨4, .true⟩ .nil)), 3, (.cons (.count .false) (.cons (.count .false) (.cons (.count .true) (.cons (.count .true) (.cons (.count .false) (.cons (.count .false) (.cons (.count .true) (.cons (.count .true) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨6, .false⟩ (.cons ⟨7, .true⟩ .nil)), 3, (.cons (.count .true) (.cons (.count .false) (.cons (.count .true) (.cons (.count .false) (.cons (.count .true) (.cons (.count .false) (.cons (.count .true) (.cons (.count .false) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨7, .false⟩ (.cons ⟨3, .true⟩ .nil)), 3, (.cons (.count .false) (.cons (.count .false) (.cons (.count .false) (.cons (.count .false) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨7, .false⟩ (.cons ⟨5, .true⟩ .nil)), 3, (.cons (.count .false) (.cons (.count .false) (.cons (.count .true) (.cons (.count .true) (.cons (.count .false) (.cons (.count .false) (.cons (.count .true) (.cons (.count .true) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨7, .false⟩ (.cons ⟨6, .true⟩ .nil)), 3, (.cons (.count .false) (.cons (.count .true) (.cons (.count .false) (.cons (.count .true) (.cons (.count .false) (.cons (.count .true) (.cons (.count .false) (.cons (.count .true) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨0, .false⟩ (.cons ⟨3, .false⟩ (.cons ⟨4, .true⟩ .nil))), 2, (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .false) (.cons (.below .false 32) (.cons (.below .false 33) (.cons (.below .true 34) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨0, .false⟩ (.cons ⟨3, .false⟩ (.cons ⟨5, .false⟩ .nil))), 2, (.cons (.count .true) (.cons (.count .true) (.cons (.below .true 34) (.cons (.count .true) (.cons (.below .true 31) (.cons (.count .true) (.cons (.below .false 35) (.cons (.below .true 36) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨0, .false⟩ (.cons ⟨3, .false⟩ (.cons ⟨6, .false⟩ .nil))), 2, (.cons (.count .true) (.cons (.below .true 36) (.cons (.count .true) (.cons (.count .true) (.cons (.below .true 31) (.cons (.below .false 34) (.cons (.count .true) (.cons (.below .true 37) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨0, .false⟩ (.cons ⟨3, .false⟩ (.cons ⟨7, .true⟩ .nil))), 2, (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.below .true 31) (.cons (.below .false 34) (.cons (.below .false 36) (.cons (.count .false) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨0, .false⟩ (.cons ⟨5, .false⟩ (.cons ⟨2, .true⟩ .nil))), 2, (.cons (.count .true) (.cons (.count .true) (.cons (.count .false) (.cons (.below .false 31) (.cons (.count .true) (.cons (.count .true) (.cons (.below .false 36) (.cons (.below .true 37) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨0, .false⟩ (.cons ⟨5, .false⟩ (.cons ⟨6, .false⟩ .nil))), 2, (.cons (.count .true) (.cons (.below .true 37) (.cons (.below .true 35) (.cons (.below .false 31) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.below .true 38) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨0, .false⟩ (.cons ⟨5, .false⟩ (.cons ⟨7, .true⟩ .nil))), 2, (.cons (.count .true) (.cons (.count .true) (.cons (.below .true 35) (.cons (.below .false 31) (.cons (.count .true) (.cons (.count .true) (.cons (.below .false 37) (.cons (.count .false) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨0, .false⟩ (.cons ⟨6, .false⟩ (.cons ⟨1, .true⟩ .nil))), 2, (.cons (.count .true) (.cons (.count .false) (.cons (.count .true) (.cons (.below .false 31) (.cons (.count .true) (.cons (.below .false 35) (.cons (.count .true) (.cons (.below .true 37) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨0, .false⟩ (.cons ⟨6, .false⟩ (.cons ⟨7, .true⟩ .nil))), 2, (.cons (.count .true) (.cons (.below .true 36) (.cons (.count .true) (.cons (.below .false 31) (.cons (.count .true) (.cons (.below .false 35) (.cons (.count .true) (.cons (.count .false) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨1, .false⟩ (.cons ⟨2, .false⟩ (.cons ⟨4, .false⟩ .nil))), 2, (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.below .true 36) (.cons (.count .true) (.cons (.below .true 37) (.cons (.below .true 38) (.cons (.below .false 39) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨1, .false⟩ (.cons ⟨2, .false⟩ (.cons ⟨5, .true⟩ .nil))), 2, (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.below .false 36) (.cons (.count .false) (.cons (.below .true 39) (.cons (.below .false 40) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨1, .false⟩ (.cons ⟨2, .false⟩ (.cons ⟨6, .true⟩ .nil))), 2, (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.below .false 36) (.cons (.below .true 38) (.cons (.count .false) (.cons (.below .false 40) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨1, .false⟩ (.cons ⟨2, .false⟩ (.cons ⟨7, .false⟩ .nil))), 2, (.cons (.below .true 40) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.below .false 36) (.cons (.below .true 38) (.cons (.below .true 39) (.cons (.count .true) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨1, .false⟩ (.cons ⟨4, .false⟩ (.cons ⟨3, .true⟩ .nil))), 2, (.cons (.count .true) (.cons (.count .true) (.cons (.below .false 32) (.cons (.count .false) (.cons (.count .true) (.cons (.count .true) (.cons (.below .true 40) (.cons (.below .false 41) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨1, .false⟩ (.cons ⟨4, .false⟩ (.cons ⟨6, .true⟩ .nil))), 2, (.cons (.count .true) (.cons (.count .true) (.cons (.below .false 33) (.cons (.below .true 39) (.cons (.count .true) (.cons (.count .true) (.cons (.count .false) (.cons (.below .false 41) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨1, .false⟩ (.cons ⟨4, .false⟩ (.cons ⟨7, .false⟩ .nil))), 2, (.cons (.below .true 41) (.cons (.count .true) (.cons (.below .false 33) (.cons (.below .true 39) (.cons (.count .true) (.cons (.count .true) (.cons (.below .true 40) (.cons (.count .true) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨1, .false⟩ (.cons ⟨7, .false⟩ (.cons ⟨0, .true⟩ .nil))), 2, (.cons (.count .false) (.cons (.count .true) (.cons (.below .false 36) (.cons (.count .true) (.cons (.below .false 40) (.cons (.count .true) (.cons (.below .true 41) (.cons (.count .true) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨1, .false⟩ (.cons ⟨7, .false⟩ (.cons ⟨6, .true⟩ .nil))), 2, (.cons (.below .true 40) (.cons (.count .true) (.cons (.below .false 34) (.cons (.count .true) (.cons (.below .false 38) (.cons (.count .true) (.cons (.count .false) (.cons (.count .true) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨2, .false⟩ (.cons ⟨4, .false⟩ (.cons ⟨3, .true⟩ .nil))), 2, (.cons (.count .true) (.cons (.below .false 27) (.cons (.count .true) (.cons (.count .false) (.cons (.count .true) (.cons (.below .true 40) (.cons (.count .true) (.cons (.below .false 41) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨2, .false⟩ (.cons ⟨4, .false⟩ (.cons ⟨5, .true⟩ .nil))), 2, (.cons (.count .true) (.cons (.below .false 27) (.cons (.count .true) (.cons (.below .true 39) (.cons (.count .true) (.cons (.count .false) (.cons (.count .true) (.cons (.below .false 41) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨2, .false⟩ (.cons ⟨4, .false⟩ (.cons ⟨7, .false⟩ .nil))), 2, (.cons (.below .true 41) (.cons (.below .false 28) (.cons (.count .true) (.cons (.below .true 39) (.cons (.count .true) (.cons (.below .true 40) (.cons (.count .true) (.cons (.count .true) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨2, .false⟩ (.cons ⟨7, .false⟩ (.cons ⟨0, .true⟩ .nil))), 2, (.cons (.count .false) (.cons (.below .false 31) (.cons (.count .true) (.cons (.count .true) (.cons (.below .false 40) (.cons (.below .true 41) (.cons (.count .true) (.cons (.count .true) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨2, .false⟩ (.cons ⟨7, .false⟩ (.cons ⟨5, .true⟩ .nil))), 2, (.cons (.below .true 40) (.cons (.below .false 28) (.cons (.count .true) (.cons (.count .true) (.cons (.below .false 38) (.cons (.count .false) (.cons (.count .true) (.cons (.count .true) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨3, .false⟩ (.cons ⟨5, .false⟩ (.cons ⟨2, .true⟩ .nil))), 2, (.cons (.below .false 12) (.cons (.count .true) (.cons (.count .false) (.cons (.count .true) (.cons (.below .true 40) (.cons (.count .true) (.cons (.below .false 41) (.cons (.count .true) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨3, .false⟩ (.cons ⟨5, .false⟩ (.cons ⟨4, .true⟩ .nil))), 2, (.cons (.below .false 8) (.cons (.count .true) (.cons (.below .true 39) (.cons (.count .true) (.cons (.count .false) (.cons (.count .true) (.cons (.below .false 41) (.cons (.count .true) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨3, .false⟩ (.cons ⟨5, .false⟩ (.cons ⟨6, .false⟩ .nil))), 2, (.cons (.below .false 11) (.cons (.below .true 41) (.cons (.below .true 39) (.cons (.count .true) (.cons (.below .true 40) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨3, .false⟩ (.cons ⟨6, .false⟩ (.cons ⟨1, .true⟩ .nil))), 2, (.cons (.below .false 12) (.cons (.count .false) (.cons (.count .true) (.cons (.count .true) (.cons (.below .true 41) (.cons (.below .false 40) (.cons (.count .true) (.cons (.count .true) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨3, .false⟩ (.cons ⟨6, .false⟩ (.cons ⟨4, .true⟩ .nil))), 2, (.cons (.below .false 6) (.cons (.below .true 40) (.cons (.count .true) (.cons (.count .true) (.cons (.count .false) (.cons (.below .false 38) (.cons (.count .true) (.cons (.count .true) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨4, .false⟩ (.cons ⟨7, .false⟩ (.cons ⟨0, .true⟩ .nil))), 2, (.cons (.count .false) (.cons (.below .false 28) (.cons (.below .false 33) (.cons (.below .true 40) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨4, .false⟩ (.cons ⟨7, .false⟩ (.cons ⟨3, .true⟩ .nil))), 2, (.cons (.below .true 39) (.cons (.below .false 25) (.cons (.below .false 30) (.cons (.count .false) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨5, .false⟩ (.cons ⟨6, .false⟩ (.cons ⟨1, .true⟩ .nil))), 2, (.cons (.below .false 12) (.cons (.count .false) (.cons (.below .true 39) (.cons (.below .false 36) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨5, .false⟩ (.cons ⟨6, .false⟩ (.cons ⟨2, .true⟩ .nil))), 2, (.cons (.below .false 9) (.cons (.below .true 38) (.cons (.count .false) (.cons (.below .false 33) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨0, .false⟩ (.cons ⟨3, .false⟩ (.cons ⟨4, .true⟩ (.cons ⟨5, .false⟩ .nil)))), 1, (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .false) (.cons (.count .true) (.cons (.count .false) (.cons (.count .true) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨0, .false⟩ (.cons ⟨3, .false⟩ (.cons ⟨4, .true⟩ (.cons ⟨6, .false⟩ .nil)))), 1, (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .false) (.cons (.count .false) (.cons (.count .true) (.cons (.count .true) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨0, .false⟩ (.cons ⟨3, .false⟩ (.cons ⟨4, .true⟩ (.cons ⟨7, .true⟩ .nil)))), 1, (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .false) (.cons (.count .false) (.cons (.count .false) (.cons (.count .false) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨0, .false⟩ (.cons ⟨3, .false⟩ (.cons ⟨5, .false⟩ (.cons ⟨2, .true⟩ .nil)))), 1, (.cons (.count .true) (.cons (.count .true) (.cons (.count .false) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .false) (.cons (.count .true) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨0, .false⟩ (.cons ⟨3, .false⟩ (.cons ⟨5, .false⟩ (.cons ⟨6, .false⟩ .nil)))), 1, (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨0, .false⟩ (.cons ⟨3, .false⟩ (.cons ⟨5, .false⟩ (.cons ⟨7, .true⟩ .nil)))), 1, (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .false) (.cons (.count .false) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨0, .false⟩ (.cons ⟨3, .false⟩ (.cons ⟨6, .false⟩ (.cons ⟨1, .true⟩ .nil)))), 1, (.cons (.count .true) (.cons (.count .false) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .false) (.cons (.count .true) (.cons (.count .true) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨0, .false⟩ (.cons ⟨3, .false⟩ (.cons ⟨6, .false⟩ (.cons ⟨7, .true⟩ .nil)))), 1, (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .false) (.cons (.count .true) (.cons (.count .false) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨0, .false⟩ (.cons ⟨5, .false⟩ (.cons ⟨2, .true⟩ (.cons ⟨6, .false⟩ .nil)))), 1, (.cons (.count .true) (.cons (.count .true) (.cons (.count .false) (.cons (.count .false) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨0, .false⟩ (.cons ⟨5, .false⟩ (.cons ⟨2, .true⟩ (.cons ⟨7, .true⟩ .nil)))), 1, (.cons (.count .true) (.cons (.count .true) (.cons (.count .false) (.cons (.count .false) (.cons (.count .true) (.cons (.count .true) (.cons (.count .false) (.cons (.count .false) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨0, .false⟩ (.cons ⟨5, .false⟩ (.cons ⟨6, .false⟩ (.cons ⟨1, .true⟩ .nil)))), 1, (.cons (.count .true) (.cons (.count .false) (.cons (.count .true) (.cons (.count .false) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨0, .false⟩ (.cons ⟨5, .false⟩ (.cons ⟨6, .false⟩ (.cons ⟨7, .true⟩ .nil)))), 1, (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .false) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .false) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨0, .false⟩ (.cons ⟨6, .false⟩ (.cons ⟨1, .true⟩ (.cons ⟨7, .true⟩ .nil)))), 1, (.cons (.count .true) (.cons (.count .false) (.cons (.count .true) (.cons (.count .false) (.cons (.count .true) (.cons (.count .false) (.cons (.count .true) (.cons (.count .false) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨1, .false⟩ (.cons ⟨2, .false⟩ (.cons ⟨4, .false⟩ (.cons ⟨3, .true⟩ .nil)))), 1, (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .false) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .false) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨1, .false⟩ (.cons ⟨2, .false⟩ (.cons ⟨4, .false⟩ (.cons ⟨5, .true⟩ .nil)))), 1, (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .false) (.cons (.count .true) (.cons (.count .false) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨1, .false⟩ (.cons ⟨2, .false⟩ (.cons ⟨4, .false⟩ (.cons ⟨6, .true⟩ .nil)))), 1, (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .false) (.cons (.count .false) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨1, .false⟩ (.cons ⟨2, .false⟩ (.cons ⟨4, .false⟩ (.cons ⟨7, .false⟩ .nil)))), 1, (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨1, .false⟩ (.cons ⟨2, .false⟩ (.cons ⟨5, .true⟩ (.cons ⟨6, .true⟩ .nil)))), 1, (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .false) (.cons (.count .false) (.cons (.count .false) (.cons (.count .false) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨1, .false⟩ (.cons ⟨2, .false⟩ (.cons ⟨5, .true⟩ (.cons ⟨7, .false⟩ .nil)))), 1, (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .false) (.cons (.count .false) (.cons (.count .true) (.cons (.count .true) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨1, .false⟩ (.cons ⟨2, .false⟩ (.cons ⟨6, .true⟩ (.cons ⟨7, .false⟩ .nil)))), 1, (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .false) (.cons (.count .true) (.cons (.count .false) (.cons (.count .true) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨1, .false⟩ (.cons ⟨2, .false⟩ (.cons ⟨7, .false⟩ (.cons ⟨0, .true⟩ .nil)))), 1, (.cons (.count .false) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .false) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨1, .false⟩ (.cons ⟨4, .false⟩ (.cons ⟨3, .true⟩ (.cons ⟨6, .true⟩ .nil)))), 1, (.cons (.count .true) (.cons (.count .true) (.cons (.count .false) (.cons (.count .false) (.cons (.count .true) (.cons (.count .true) (.cons (.count .false) (.cons (.count .false) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨1, .false⟩ (.cons ⟨4, .false⟩ (.cons ⟨3, .true⟩ (.cons ⟨7, .false⟩ .nil)))), 1, (.cons (.count .true) (.cons (.count .true) (.cons (.count .false) (.cons (.count .false) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨1, .false⟩ (.cons ⟨4, .false⟩ (.cons ⟨6, .true⟩ (.cons ⟨7, .false⟩ .nil)))), 1, (.cons (.count .true) (.cons (.count .true) (.cons (.count .false) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .false) (.cons (.count .true) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨1, .false⟩ (.cons ⟨4, .false⟩ (.cons ⟨7, .false⟩ (.cons ⟨0, .true⟩ .nil)))), 1, (.cons (.count .false) (.cons (.count .true) (.cons (.count .false) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨1, .false⟩ (.cons ⟨7, .false⟩ (.cons ⟨0, .true⟩ (.cons ⟨6, .true⟩ .nil)))), 1, (.cons (.count .false) (.cons (.count .true) (.cons (.count .false) (.cons (.count .true) (.cons (.count .false) (.cons (.count .true) (.cons (.count .false) (.cons (.count .true) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨2, .false⟩ (.cons ⟨4, .false⟩ (.cons ⟨3, .true⟩ (.cons ⟨5, .true⟩ .nil)))), 1, (.cons (.count .true) (.cons (.count .false) (.cons (.count .true) (.cons (.count .false) (.cons (.count .true) (.cons (.count .false) (.cons (.count .true) (.cons (.count .false) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨2, .false⟩ (.cons ⟨4, .false⟩ (.cons ⟨3, .true⟩ (.cons ⟨7, .false⟩ .nil)))), 1, (.cons (.count .true) (.cons (.count .false) (.cons (.count .true) (.cons (.count .false) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨2, .false⟩ (.cons ⟨4, .false⟩ (.cons ⟨5, .true⟩ (.cons ⟨7, .false⟩ .nil)))), 1, (.cons (.count .true) (.cons (.count .false) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .false) (.cons (.count .true) (.cons (.count .true) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨2, .false⟩ (.cons ⟨4, .false⟩ (.cons ⟨7, .false⟩ (.cons ⟨0, .true⟩ .nil)))), 1, (.cons (.count .false) (.cons (.count .false) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨2, .false⟩ (.cons ⟨7, .false⟩ (.cons ⟨0, .true⟩ (.cons ⟨5, .true⟩ .nil)))), 1, (.cons (.count .false) (.cons (.count .false) (.cons (.count .true) (.cons (.count .true) (.cons (.count .false) (.cons (.count .false) (.cons (.count .true) (.cons (.count .true) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨3, .false⟩ (.cons ⟨5, .false⟩ (.cons ⟨2, .true⟩ (.cons ⟨4, .true⟩ .nil)))), 1, (.cons (.count .false) (.cons (.count .true) (.cons (.count .false) (.cons (.count .true) (.cons (.count .false) (.cons (.count .true) (.cons (.count .false) (.cons (.count .true) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨3, .false⟩ (.cons ⟨5, .false⟩ (.cons ⟨2, .true⟩ (.cons ⟨6, .false⟩ .nil)))), 1, (.cons (.count .false) (.cons (.count .true) (.cons (.count .false) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨3, .false⟩ (.cons ⟨5, .false⟩ (.cons ⟨4, .true⟩ (.cons ⟨6, .false⟩ .nil)))), 1, (.cons (.count .false) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .false) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨3, .false⟩ (.cons ⟨5, .false⟩ (.cons ⟨6, .false⟩ (.cons ⟨1, .true⟩ .nil)))), 1, (.cons (.count .false) (.cons (.count .false) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨3, .false⟩ (.cons ⟨6, .false⟩ (.cons ⟨1, .true⟩ (.cons ⟨4, .true⟩ .nil)))), 1, (.cons (.count .false) (.cons (.count .false) (.cons (.count .true) (.cons (.count .true) (.cons (.count .false) (.cons (.count .false) (.cons (.count .true) (.cons (.count .true) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨4, .false⟩ (.cons ⟨7, .false⟩ (.cons ⟨0, .true⟩ (.cons ⟨3, .true⟩ .nil)))), 1, (.cons (.count .false) (.cons (.count .false) (.cons (.count .false) (.cons (.count .false) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) .nil))))))))⟩ (
  .cons ⟨(.cons ⟨5, .false⟩ (.cons ⟨6, .false⟩ (.cons ⟨1, .true⟩ (.cons ⟨2, .true⟩ .nil)))), 1, (.cons (.count .false) (.cons (.count .false) (.cons (.count .false) (.cons (.count .false) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) (.cons (.count .true) .nil))))))))⟩ (
  .nil)))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))
def shatteredPoints : Nat → Bool := label 0b00010111

/-! ## Theorems -/

set_option maxRecDepth 100000
set_option maxHeartbeats 0

theorem ldim : IsLdim points concepts 5 :=
  checkLdim_sound (t := shatteredTree) (dag := failureDag) rfl
theorem vcdim : IsVcdim points concepts 4 := checkVcdim_sound (X := shatteredPoints) rfl

#print axioms ldim
#print axioms vcdim

end Exported
