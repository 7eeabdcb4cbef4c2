/-
A small core library for Lean 4. It contains only the definitions that the files of
`lsclasses dims --certificate FOLDER --lean` use, with the names and types of Lean's core library.
`make lean` compiles this file where the compiler of Lean is installed without its core library.
A full installation of Lean does not need this file.
-/
prelude
set_option autoImplicit false
set_option genCtorIdx false
set_option linter.defProp false
universe u v w u1 u2

-- ## Constants of the compiler

unsafe axiom lcErased : Type
unsafe axiom lcAny : Type
unsafe axiom lcVoid : Type
unsafe axiom lcProof {α : Prop} : α
unsafe axiom lcCast {α : Sort u} {β : Sort v} (a : α) : β
unsafe axiom lcUnreachable {α : Sort u} : α

-- ## Logic

@[inline] def id {α : Sort u} (a : α) : α := a

set_option bootstrap.inductiveCheckResultingUniverse false in
inductive PUnit : Sort u where
  | unit : PUnit
abbrev Unit : Type := PUnit
@[match_pattern] abbrev Unit.unit : Unit := PUnit.unit

inductive True : Prop where
  | intro : True
inductive False : Prop
@[macro_inline] def False.elim {C : Sort u} (h : False) : C := h.rec
def Not (a : Prop) : Prop := a → False

inductive Eq {α : Sort u} : α → α → Prop where
  | refl (a : α) : Eq a a
@[match_pattern] def rfl {α : Sort u} {a : α} : Eq a a := Eq.refl a
abbrev Eq.ndrec {α : Sort u2} {a : α} {motive : α → Sort u1} (m : motive a) {b : α}
    (h : Eq a b) : motive b := h.rec m
theorem Eq.symm {α : Sort u} {a b : α} (h : Eq a b) : Eq b a := h.rec (Eq.refl a)
theorem Eq.trans {α : Sort u} {a b c : α} (h₁ : Eq a b) (h₂ : Eq b c) : Eq a c := h₂.rec h₁
theorem Eq.subst {α : Sort u} {motive : α → Prop} {a b : α} (h₁ : Eq a b) (h₂ : motive a) :
    motive b := Eq.ndrec h₂ h₁
theorem congrArg {α : Sort u} {β : Sort v} {a₁ a₂ : α} (f : α → β) (h : Eq a₁ a₂) :
    Eq (f a₁) (f a₂) := h.rec (Eq.refl (f a₁))
def cast {α β : Sort u} (h : Eq α β) (a : α) : β := h.rec a

inductive HEq : {α : Sort u} → α → {β : Sort u} → β → Prop where
  | refl {α : Sort u} (a : α) : HEq a a
theorem eq_of_heq {α : Sort u} {a a' : α} (h : HEq a a') : Eq a a' :=
  have general : (α β : Sort u) → (a : α) → (b : β) → HEq a b → (h : Eq α β) →
      Eq (cast h a) b := fun _ _ _ _ h₁ => h₁.rec (fun _ => Eq.refl _)
  general α α a a' h (Eq.refl α)
theorem heq_of_eq {α : Sort u} {a a' : α} (h : Eq a a') : HEq a a' := h.rec (HEq.refl a)

structure PProd (α : Sort u) (β : Sort v) where
  fst : α
  snd : β
structure Prod (α : Type u) (β : Type v) where
  fst : α
  snd : β
structure PULift.{r, s} (α : Sort s) : Sort (max s r 1) where
  up ::
  down : α
structure And (a b : Prop) : Prop where
  intro ::
  left : a
  right : b
inductive Or (a b : Prop) : Prop where
  | inl (h : a) : Or a b
  | inr (h : b) : Or a b
inductive Exists {α : Sort u} (p : α → Prop) : Prop where
  | intro (w : α) (h : p w) : Exists p
def absurd {a : Prop} {b : Sort v} (h₁ : a) (h₂ : Not a) : b := (h₂ h₁).rec

-- ## Data

inductive Bool : Type where
  | false : Bool
  | true : Bool
inductive Nat where
  | zero : Nat
  | succ (n : Nat) : Nat
inductive List (α : Type u) where
  | nil : List α
  | cons (head : α) (tail : List α) : List α

@[reducible] def outParam (α : Sort u) : Sort u := α
class OfNat (α : Type u) (_ : Nat) where
  ofNat : α
@[default_instance 100]
instance instOfNatNat (n : Nat) : OfNat Nat n := ⟨n⟩
class HAdd (α : Type u) (β : Type v) (γ : outParam (Type w)) where
  hAdd : α → β → γ
class Add (α : Type u) where
  add : α → α → α
@[default_instance]
instance instHAdd {α : Type u} [Add α] : HAdd α α α where
  hAdd a b := Add.add a b
class CoeFun (α : Sort u) (γ : (α → Sort v)) where
  coe : (f : α) → γ f

noncomputable section
set_option bootstrap.genMatcherCode false

def cond {α : Sort u} (c : Bool) (x y : α) : α := match c with
  | .true => x
  | .false => y

class inductive Decidable (p : Prop) where
  | isFalse (h : Not p) : Decidable p
  | isTrue (h : p) : Decidable p
def Decidable.decide (p : Prop) [h : Decidable p] : Bool :=
  h.casesOn (fun _ => Bool.false) (fun _ => Bool.true)

-- ## Arithmetic, which Lean evaluates on numerals by its own algorithms

protected def Nat.add : Nat → Nat → Nat
  | n, .zero => n
  | n, .succ m => .succ (Nat.add n m)
instance instAddNat : Add Nat := ⟨Nat.add⟩
def Nat.pred : Nat → Nat
  | .zero => .zero
  | .succ n => n
protected def Nat.sub : Nat → Nat → Nat
  | n, .zero => n
  | n, .succ m => Nat.pred (Nat.sub n m)
protected def Nat.mul : Nat → Nat → Nat
  | _, .zero => .zero
  | n, .succ m => Nat.add (Nat.mul n m) n
protected def Nat.pow : Nat → Nat → Nat
  | _, .zero => 1
  | m, .succ n => Nat.mul (Nat.pow m n) m
def Nat.beq : Nat → Nat → Bool
  | .zero, .zero => .true
  | .zero, .succ _ => .false
  | .succ _, .zero => .false
  | .succ n, .succ m => Nat.beq n m
def Nat.ble : Nat → Nat → Bool
  | .zero, _ => .true
  | .succ _, .zero => .false
  | .succ n, .succ m => Nat.ble n m
def Nat.divide (m : Nat) : Nat → Nat → Nat
  | .zero, _ => 0
  | .succ steps, n => cond (Nat.ble m n) (Nat.succ (Nat.divide m steps (Nat.sub n m))) 0
protected def Nat.div (n m : Nat) : Nat := match m with
  | .zero => 0
  | .succ m => Nat.divide (.succ m) n n
protected def Nat.mod (n m : Nat) : Nat := Nat.sub n (Nat.mul m (Nat.div n m))
protected inductive Nat.le (n : Nat) : Nat → Prop
  | refl : Nat.le n n
  | step {m : Nat} : Nat.le n m → Nat.le n (.succ m)

theorem Nat.eq_of_beq_eq_true : (n m : Nat) → Eq (Nat.beq n m) Bool.true → Eq n m
  | .zero, .zero, _ => rfl
  | .zero, .succ _, h => Bool.noConfusion h
  | .succ _, .zero, h => Bool.noConfusion h
  | .succ n, .succ m, h => congrArg Nat.succ (Nat.eq_of_beq_eq_true n m h)
theorem Nat.ne_of_beq_eq_false : (n m : Nat) → Eq (Nat.beq n m) Bool.false → Not (Eq n m)
  | .zero, .zero, h, _ => Bool.noConfusion h
  | .zero, .succ _, _, h => Nat.noConfusion h
  | .succ _, .zero, _, h => Nat.noConfusion h
  | .succ n, .succ m, h, e => Nat.noConfusion e fun e => Nat.ne_of_beq_eq_false n m h e
def Nat.decEq (n m : Nat) : Decidable (Eq n m) :=
  match h : Nat.beq n m with
  | .true => .isTrue (Nat.eq_of_beq_eq_true n m h)
  | .false => .isFalse (Nat.ne_of_beq_eq_false n m h)
