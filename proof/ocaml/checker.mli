
val xorb : bool -> bool -> bool

val negb : bool -> bool

type nat =
| O
| S of nat

val option_map : ('a1 -> 'a2) -> 'a1 option -> 'a2 option

val fst : ('a1 * 'a2) -> 'a1

val snd : ('a1 * 'a2) -> 'a2

val length : 'a1 list -> nat

val app : 'a1 list -> 'a1 list -> 'a1 list

type comparison =
| Eq
| Lt
| Gt

val add : nat -> nat -> nat

val eqb : bool -> bool -> bool

module type EqLtLe =
 sig
  type t
 end

module MakeOrderTac :
 functor (O:EqLtLe) ->
 functor (P:sig
 end) ->
 sig
 end

module Nat :
 sig
  val eqb : nat -> nat -> bool

  val leb : nat -> nat -> bool

  val ltb : nat -> nat -> bool

  val iter : nat -> ('a1 -> 'a1) -> 'a1 -> 'a1
 end

val concat : 'a1 list list -> 'a1 list

val map : ('a1 -> 'a2) -> 'a1 list -> 'a2 list

val flat_map : ('a1 -> 'a2 list) -> 'a1 list -> 'a2 list

val fold_left : ('a1 -> 'a2 -> 'a1) -> 'a2 list -> 'a1 -> 'a1

type positive =
| XI of positive
| XO of positive
| XH

module Pos :
 sig
  val succ : positive -> positive

  val compare_cont : comparison -> positive -> positive -> comparison

  val compare : positive -> positive -> comparison

  val eqb : positive -> positive -> bool
 end

type 'x compare0 =
| LT
| EQ
| GT

module type OrderedType =
 sig
  type t

  val compare : t -> t -> t compare0

  val eq_dec : t -> t -> bool
 end

module OrderedTypeFacts :
 functor (O:OrderedType) ->
 sig
  module TO :
   sig
    type t = O.t
   end

  module IsTO :
   sig
   end

  module OrderTac :
   sig
   end

  val eq_dec : O.t -> O.t -> bool

  val lt_dec : O.t -> O.t -> bool

  val eqb : O.t -> O.t -> bool
 end

module KeyOrderedType :
 functor (O:OrderedType) ->
 sig
  module MO :
   sig
    module TO :
     sig
      type t = O.t
     end

    module IsTO :
     sig
     end

    module OrderTac :
     sig
     end

    val eq_dec : O.t -> O.t -> bool

    val lt_dec : O.t -> O.t -> bool

    val eqb : O.t -> O.t -> bool
   end
 end

module PositiveOrderedTypeBits :
 sig
  type t = positive

  val compare : t -> t -> positive compare0

  val eq_dec : positive -> positive -> bool
 end

val append : positive -> positive -> positive

module PositiveMap :
 sig
  module E :
   sig
    type t = positive

    val compare : t -> t -> positive compare0

    val eq_dec : positive -> positive -> bool
   end

  module ME :
   sig
    module MO :
     sig
      module TO :
       sig
        type t = positive
       end

      module IsTO :
       sig
       end

      module OrderTac :
       sig
       end

      val eq_dec : positive -> positive -> bool

      val lt_dec : positive -> positive -> bool

      val eqb : positive -> positive -> bool
     end
   end

  type key = positive

  type 'a tree =
  | Leaf
  | Node of 'a tree * 'a option * 'a tree

  type 'a t = 'a tree

  val empty : 'a1 t

  val is_empty : 'a1 t -> bool

  val find : key -> 'a1 t -> 'a1 option

  val mem : key -> 'a1 t -> bool

  val add : key -> 'a1 -> 'a1 t -> 'a1 t

  val remove : key -> 'a1 t -> 'a1 t

  val xelements : 'a1 t -> key -> (key * 'a1) list

  val elements : 'a1 t -> (key * 'a1) list

  val cardinal : 'a1 t -> nat

  val xfind : key -> key -> 'a1 t -> 'a1 option

  val xmapi : (key -> 'a1 -> 'a2) -> 'a1 t -> key -> 'a2 t

  val mapi : (key -> 'a1 -> 'a2) -> 'a1 t -> 'a2 t

  val map : ('a1 -> 'a2) -> 'a1 t -> 'a2 t

  val xmap2_l : ('a1 option -> 'a2 option -> 'a3 option) -> 'a1 t -> 'a3 t

  val xmap2_r : ('a1 option -> 'a2 option -> 'a3 option) -> 'a2 t -> 'a3 t

  val _map2 :
    ('a1 option -> 'a2 option -> 'a3 option) -> 'a1 t -> 'a2 t -> 'a3 t

  val map2 :
    ('a1 option -> 'a2 option -> 'a3 option) -> 'a1 t -> 'a2 t -> 'a3 t

  val xfoldi : (key -> 'a1 -> 'a2 -> 'a2) -> 'a1 t -> 'a2 -> key -> 'a2

  val fold : (key -> 'a1 -> 'a2 -> 'a2) -> 'a1 t -> 'a2 -> 'a2

  val equal : ('a1 -> 'a1 -> bool) -> 'a1 t -> 'a1 t -> bool
 end

module PM :
 sig
  module E :
   sig
    type t = positive

    val compare : t -> t -> positive compare0

    val eq_dec : positive -> positive -> bool
   end

  module ME :
   sig
    module MO :
     sig
      module TO :
       sig
        type t = positive
       end

      module IsTO :
       sig
       end

      module OrderTac :
       sig
       end

      val eq_dec : positive -> positive -> bool

      val lt_dec : positive -> positive -> bool

      val eqb : positive -> positive -> bool
     end
   end

  type key = positive

  type 'a tree = 'a PositiveMap.tree =
  | Leaf
  | Node of 'a tree * 'a option * 'a tree

  type 'a t = 'a tree

  val empty : 'a1 t

  val is_empty : 'a1 t -> bool

  val find : key -> 'a1 t -> 'a1 option

  val mem : key -> 'a1 t -> bool

  val add : key -> 'a1 -> 'a1 t -> 'a1 t

  val remove : key -> 'a1 t -> 'a1 t

  val xelements : 'a1 t -> key -> (key * 'a1) list

  val elements : 'a1 t -> (key * 'a1) list

  val cardinal : 'a1 t -> nat

  val xfind : key -> key -> 'a1 t -> 'a1 option

  val xmapi : (key -> 'a1 -> 'a2) -> 'a1 t -> key -> 'a2 t

  val mapi : (key -> 'a1 -> 'a2) -> 'a1 t -> 'a2 t

  val map : ('a1 -> 'a2) -> 'a1 t -> 'a2 t

  val xmap2_l : ('a1 option -> 'a2 option -> 'a3 option) -> 'a1 t -> 'a3 t

  val xmap2_r : ('a1 option -> 'a2 option -> 'a3 option) -> 'a2 t -> 'a3 t

  val _map2 :
    ('a1 option -> 'a2 option -> 'a3 option) -> 'a1 t -> 'a2 t -> 'a3 t

  val map2 :
    ('a1 option -> 'a2 option -> 'a3 option) -> 'a1 t -> 'a2 t -> 'a3 t

  val xfoldi : (key -> 'a1 -> 'a2 -> 'a2) -> 'a1 t -> 'a2 -> key -> 'a2

  val fold : (key -> 'a1 -> 'a2 -> 'a2) -> 'a1 t -> 'a2 -> 'a2

  val equal : ('a1 -> 'a1 -> bool) -> 'a1 t -> 'a1 t -> bool
 end

val all : ('a1 -> bool) -> 'a1 list -> bool

val any : ('a1 -> bool) -> 'a1 list -> bool

val pick : ('a2 -> 'a1 -> bool) -> 'a1 -> bool -> 'a2 list -> 'a2 list

type 'pt pset = 'pt PM.t

val put : ('a1 -> positive) -> 'a1 pset -> 'a1 -> 'a1 pset

val mem0 : ('a1 -> positive) -> 'a1 -> 'a1 pset -> bool

val set_of : ('a1 -> positive) -> 'a1 list -> 'a1 pset

val points : 'a1 pset -> 'a1 list

val domain : ('a1 -> positive) -> 'a1 list -> 'a1 pset

val inside : ('a1 -> positive) -> 'a1 list -> 'a1 -> bool

val is_constant : ('a2 -> 'a1 -> bool) -> 'a2 list -> 'a1 -> bool

val is_alike : ('a2 -> 'a1 -> bool) -> 'a2 list -> 'a1 -> 'a1 -> bool

val is_covers :
  ('a2 -> 'a1 -> bool) -> ('a1 -> positive) -> 'a1 list -> 'a2 list -> 'a1
  pset -> bool

type 'pt pair = ('pt * 'pt) * bool

type 'pt pairs = 'pt pair list

val sources : 'a1 pairs -> 'a1 list

val targets : 'a1 pairs -> 'a1 list

val identity : 'a1 list -> 'a1 pairs

val in_range : ('a1 -> positive) -> 'a1 list -> 'a1 pairs -> bool

type 'row trie =
| Empty
| One of 'row
| Fork of 'row trie * 'row trie

val apart : ('a2 -> 'a1 -> bool) -> 'a1 list -> 'a2 -> 'a2 -> 'a2 trie

val insert : ('a2 -> 'a1 -> bool) -> 'a1 list -> 'a2 -> 'a2 trie -> 'a2 trie

val find0 : ('a2 -> 'a1 -> bool) -> 'a1 pairs -> 'a2 -> 'a2 trie -> 'a2 option

val trie_of : ('a2 -> 'a1 -> bool) -> 'a1 pairs -> 'a2 list -> 'a2 trie

val agrees : ('a2 -> 'a1 -> bool) -> 'a1 pairs -> 'a2 -> 'a2 -> bool

val is_maps :
  ('a2 -> 'a1 -> bool) -> 'a2 list -> 'a2 list -> 'a1 pairs -> bool

val is_image :
  ('a2 -> 'a1 -> bool) -> ('a1 -> positive) -> 'a1 list -> 'a2 list -> 'a2
  list -> 'a1 pairs -> bool

val is_part : ('a2 -> 'a1 -> bool) -> 'a1 list -> 'a2 list -> 'a2 list -> bool

val many : ('a1 -> bool) -> nat -> 'a1 list -> 'a1 list option

val few : ('a1 -> bool) -> nat -> 'a1 list -> bool

type 'row ruling = nat -> 'row list -> bool

val ahead : ('a2 -> 'a1 -> bool) -> 'a1 list -> 'a2 ruling list -> 'a2 ruling

val rulings : ('a2 -> 'a1 -> bool) -> 'a1 list -> nat -> 'a2 ruling list

val look_ahead : nat

val counting : ('a2 -> 'a1 -> bool) -> 'a1 list -> nat -> 'a2 list -> bool

val is_symmetry :
  ('a2 -> 'a1 -> bool) -> ('a1 -> positive) -> 'a1 list -> 'a2 list -> 'a1
  pairs -> bool

val carry :
  ('a1 -> positive) -> ('a1 pset * bool) -> 'a1 pair -> 'a1 pset * bool

val closure : ('a1 -> positive) -> nat -> 'a1 pairs -> 'a1 pset -> 'a1 pset

val shset : ('a2 -> 'a1 -> bool) -> 'a1 list -> 'a2 list -> bool

val distinct_from : ('a1 -> positive) -> 'a1 pset -> 'a1 list -> bool

val distinct : ('a1 -> positive) -> 'a1 list -> bool

val is_set :
  ('a2 -> 'a1 -> bool) -> ('a1 -> positive) -> 'a1 list -> 'a1 list -> 'a2
  list -> bool

type 'pt labelling = ('pt * bool) list

val induces : ('a2 -> 'a1 -> bool) -> 'a1 labelling -> 'a2 -> bool

val is_nil : 'a1 list -> bool

val after : ('a1 -> positive) -> 'a1 -> 'a1 list list -> 'a1 list list

val begins : ('a1 -> positive) -> 'a1 list -> nat -> 'a1 list list -> bool

val is_missing :
  ('a2 -> 'a1 -> bool) -> ('a1 -> positive) -> 'a1 list -> 'a1 labelling list
  -> nat -> 'a2 list -> bool

type 'pt step = { at_ : 'pt; side : bool;
                  by_ : (positive * 'pt pairs option) option }

type 'pt reason =
| Counting
| Steps of 'pt step list * 'pt pairs list
| Factors of (positive * 'pt pairs) list

type 'pt entry = { parent : positive option; given : ('pt * bool) list;
                   depth : nat; why : 'pt reason }

type 'pt dag = { bound : nat; entries : 'pt entry list }

type 'pt subtree =
| ShatteredSet of 'pt list
| Below of positive * 'pt pairs option

type 'pt node = { place : (positive * bool) option; root : 'pt;
                  zero : 'pt subtree; one : 'pt subtree }

type 'pt lower =
| Unfolded of nat * 'pt list * positive list option
| Folded of nat * 'pt node list

val deep : 'a1 lower -> nat

type 'pt no_larger =
| Size
| Missing of 'pt labelling list

type 'pt certificate =
| LdimAtLeast of 'pt lower
| LdimAtMost of 'pt dag
| LdimIs of 'pt lower * 'pt dag
| VcdimAtLeast of 'pt list
| VcdimIs of 'pt list * 'pt no_larger

val spaces :
  ('a2 -> 'a1 -> bool) -> 'a1 entry list -> positive -> (('a2
  list * nat) * 'a1 reason) PM.t -> (('a2 list * nat) * 'a1 reason) PM.t
  option

val check_step :
  ('a2 -> 'a1 -> bool) -> ('a1 -> positive) -> 'a1 list -> (('a2
  list * nat) * 'a1 reason) PM.t -> 'a2 list -> nat -> 'a1 step -> bool

val factors_depth :
  (('a2 list * nat) * 'a1 reason) PM.t -> nat -> (positive * 'a1 pairs) list
  -> nat option

val check_factor :
  ('a2 -> 'a1 -> bool) -> ('a1 -> positive) -> 'a1 list -> (('a2
  list * nat) * 'a1 reason) PM.t -> 'a2 list -> (positive * 'a1 pairs) -> bool

val check_entry :
  ('a2 -> 'a1 -> bool) -> ('a1 -> positive) -> 'a1 list -> (('a2
  list * nat) * 'a1 reason) PM.t -> (('a2 list * nat) * 'a1 reason) -> bool

val check_dag :
  ('a2 -> 'a1 -> bool) -> ('a1 -> positive) -> 'a1 list -> 'a2 list -> 'a1
  dag -> bool

val places :
  ('a2 -> 'a1 -> bool) -> 'a1 node list -> positive -> (('a2
  list * nat) * 'a1 node) PM.t -> (('a2 list * nat) * 'a1 node) PM.t option

val is_place : 'a1 node -> positive -> bool -> bool

val swap : 'a1 pairs -> 'a1 pairs

val check_subtree :
  ('a2 -> 'a1 -> bool) -> ('a1 -> positive) -> 'a1 list -> (('a2
  list * nat) * 'a1 node) PM.t -> positive -> 'a2 list -> 'a1 -> nat -> bool
  -> 'a1 subtree -> bool

val check_node :
  ('a2 -> 'a1 -> bool) -> ('a1 -> positive) -> 'a1 list -> (('a2
  list * nat) * 'a1 node) PM.t -> positive -> (('a2 list * nat) * 'a1 node)
  -> bool

val check_folded :
  ('a2 -> 'a1 -> bool) -> ('a1 -> positive) -> 'a1 list -> 'a2 list -> nat ->
  'a1 node list -> bool

val numbered : positive -> 'a1 list -> positive * 'a1 PM.t

val power : nat -> positive

val gather : 'a1 list -> unit PM.t -> 'a1 PM.t

val named_paths :
  ('a2 -> 'a1 -> bool) -> ('a1 -> positive) -> 'a1 list -> 'a1 PM.t ->
  (positive -> 'a2 option) -> nat -> positive -> 'a1 labelling -> bool

val followed_paths :
  ('a2 -> 'a1 -> bool) -> ('a1 -> positive) -> 'a1 list -> 'a1 PM.t -> nat ->
  positive -> 'a2 list -> bool

val check_unfolded :
  ('a2 -> 'a1 -> bool) -> ('a1 -> positive) -> 'a1 list -> 'a2 list -> nat ->
  'a1 list -> positive list option -> bool

val check_lower :
  ('a2 -> 'a1 -> bool) -> ('a1 -> positive) -> 'a1 list -> 'a2 list -> 'a1
  lower -> bool

val check :
  ('a2 -> 'a1 -> bool) -> ('a1 -> positive) -> 'a1 list -> 'a2 list -> 'a1
  certificate -> bool
