
(** val xorb : bool -> bool -> bool **)

let xorb b1 b2 =
  if b1 then if b2 then false else true else b2

(** val negb : bool -> bool **)

let negb = function
| true -> false
| false -> true

type nat =
| O
| S of nat

(** val option_map : ('a1 -> 'a2) -> 'a1 option -> 'a2 option **)

let option_map f = function
| Some a -> Some (f a)
| None -> None

(** val fst : ('a1 * 'a2) -> 'a1 **)

let fst = function
| (x, _) -> x

(** val snd : ('a1 * 'a2) -> 'a2 **)

let snd = function
| (_, y) -> y

(** val length : 'a1 list -> nat **)

let rec length = function
| [] -> O
| _ :: l' -> S (length l')

(** val app : 'a1 list -> 'a1 list -> 'a1 list **)

let rec app l m =
  match l with
  | [] -> m
  | a :: l1 -> a :: (app l1 m)

type comparison =
| Eq
| Lt
| Gt

module Coq__1 = struct
 (** val add : nat -> nat -> nat **)
 let rec add n m =
   match n with
   | O -> m
   | S p -> S (add p m)
end
include Coq__1

(** val eqb : bool -> bool -> bool **)

let eqb b1 b2 =
  if b1 then b2 else if b2 then false else true

module type EqLtLe =
 sig
  type t
 end

module MakeOrderTac =
 functor (O:EqLtLe) ->
 functor (P:sig
 end) ->
 struct
 end

module Nat =
 struct
  (** val eqb : nat -> nat -> bool **)

  let rec eqb n m =
    match n with
    | O -> (match m with
            | O -> true
            | S _ -> false)
    | S n' -> (match m with
               | O -> false
               | S m' -> eqb n' m')

  (** val leb : nat -> nat -> bool **)

  let rec leb n m =
    match n with
    | O -> true
    | S n' -> (match m with
               | O -> false
               | S m' -> leb n' m')

  (** val ltb : nat -> nat -> bool **)

  let ltb n m =
    leb (S n) m

  (** val iter : nat -> ('a1 -> 'a1) -> 'a1 -> 'a1 **)

  let rec iter n f x =
    match n with
    | O -> x
    | S n0 -> f (iter n0 f x)
 end

(** val concat : 'a1 list list -> 'a1 list **)

let rec concat = function
| [] -> []
| x :: l0 -> app x (concat l0)

(** val map : ('a1 -> 'a2) -> 'a1 list -> 'a2 list **)

let rec map f = function
| [] -> []
| a :: t0 -> (f a) :: (map f t0)

(** val flat_map : ('a1 -> 'a2 list) -> 'a1 list -> 'a2 list **)

let rec flat_map f = function
| [] -> []
| x :: t0 -> app (f x) (flat_map f t0)

(** val fold_left : ('a1 -> 'a2 -> 'a1) -> 'a2 list -> 'a1 -> 'a1 **)

let rec fold_left f l a0 =
  match l with
  | [] -> a0
  | b :: t0 -> fold_left f t0 (f a0 b)

type positive =
| XI of positive
| XO of positive
| XH

module Pos =
 struct
  (** val succ : positive -> positive **)

  let rec succ = function
  | XI p -> XO (succ p)
  | XO p -> XI p
  | XH -> XO XH

  (** val compare_cont : comparison -> positive -> positive -> comparison **)

  let rec compare_cont r x y =
    match x with
    | XI p ->
      (match y with
       | XI q -> compare_cont r p q
       | XO q -> compare_cont Gt p q
       | XH -> Gt)
    | XO p ->
      (match y with
       | XI q -> compare_cont Lt p q
       | XO q -> compare_cont r p q
       | XH -> Gt)
    | XH -> (match y with
             | XH -> r
             | _ -> Lt)

  (** val compare : positive -> positive -> comparison **)

  let compare =
    compare_cont Eq

  (** val eqb : positive -> positive -> bool **)

  let rec eqb p q =
    match p with
    | XI p0 -> (match q with
                | XI q0 -> eqb p0 q0
                | _ -> false)
    | XO p0 -> (match q with
                | XO q0 -> eqb p0 q0
                | _ -> false)
    | XH -> (match q with
             | XH -> true
             | _ -> false)
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

module OrderedTypeFacts =
 functor (O:OrderedType) ->
 struct
  module TO =
   struct
    type t = O.t
   end

  module IsTO =
   struct
   end

  module OrderTac = MakeOrderTac(TO)(IsTO)

  (** val eq_dec : O.t -> O.t -> bool **)

  let eq_dec =
    O.eq_dec

  (** val lt_dec : O.t -> O.t -> bool **)

  let lt_dec x y =
    match O.compare x y with
    | LT -> true
    | _ -> false

  (** val eqb : O.t -> O.t -> bool **)

  let eqb x y =
    if eq_dec x y then true else false
 end

module KeyOrderedType =
 functor (O:OrderedType) ->
 struct
  module MO = OrderedTypeFacts(O)
 end

module PositiveOrderedTypeBits =
 struct
  type t = positive

  (** val compare : t -> t -> positive compare0 **)

  let rec compare p y =
    match p with
    | XI p0 -> (match y with
                | XI p1 -> compare p0 p1
                | _ -> GT)
    | XO p0 -> (match y with
                | XO p1 -> compare p0 p1
                | _ -> LT)
    | XH -> (match y with
             | XI _ -> LT
             | XO _ -> GT
             | XH -> EQ)

  (** val eq_dec : positive -> positive -> bool **)

  let eq_dec x y =
    match Pos.compare x y with
    | Eq -> true
    | _ -> false
 end

(** val append : positive -> positive -> positive **)

let rec append i j =
  match i with
  | XI ii -> XI (append ii j)
  | XO ii -> XO (append ii j)
  | XH -> j

module PositiveMap =
 struct
  module E = PositiveOrderedTypeBits

  module ME = KeyOrderedType(E)

  type key = positive

  type 'a tree =
  | Leaf
  | Node of 'a tree * 'a option * 'a tree

  type 'a t = 'a tree

  (** val empty : 'a1 t **)

  let empty =
    Leaf

  (** val is_empty : 'a1 t -> bool **)

  let rec is_empty = function
  | Leaf -> true
  | Node (l, o, r) ->
    (match o with
     | Some _ -> false
     | None -> (&&) (is_empty l) (is_empty r))

  (** val find : key -> 'a1 t -> 'a1 option **)

  let rec find i = function
  | Leaf -> None
  | Node (l, o, r) ->
    (match i with
     | XI ii -> find ii r
     | XO ii -> find ii l
     | XH -> o)

  (** val mem : key -> 'a1 t -> bool **)

  let rec mem i = function
  | Leaf -> false
  | Node (l, o, r) ->
    (match i with
     | XI ii -> mem ii r
     | XO ii -> mem ii l
     | XH -> (match o with
              | Some _ -> true
              | None -> false))

  (** val add : key -> 'a1 -> 'a1 t -> 'a1 t **)

  let rec add i v = function
  | Leaf ->
    (match i with
     | XI ii -> Node (Leaf, None, (add ii v Leaf))
     | XO ii -> Node ((add ii v Leaf), None, Leaf)
     | XH -> Node (Leaf, (Some v), Leaf))
  | Node (l, o, r) ->
    (match i with
     | XI ii -> Node (l, o, (add ii v r))
     | XO ii -> Node ((add ii v l), o, r)
     | XH -> Node (l, (Some v), r))

  (** val remove : key -> 'a1 t -> 'a1 t **)

  let rec remove i m =
    match i with
    | XI ii ->
      (match m with
       | Leaf -> Leaf
       | Node (l, o, r) ->
         (match l with
          | Leaf ->
            (match o with
             | Some _ -> Node (l, o, (remove ii r))
             | None ->
               (match remove ii r with
                | Leaf -> Leaf
                | Node (t0, o0, t1) -> Node (Leaf, None, (Node (t0, o0, t1)))))
          | Node (_, _, _) -> Node (l, o, (remove ii r))))
    | XO ii ->
      (match m with
       | Leaf -> Leaf
       | Node (l, o, r) ->
         (match o with
          | Some _ -> Node ((remove ii l), o, r)
          | None ->
            (match r with
             | Leaf ->
               (match remove ii l with
                | Leaf -> Leaf
                | Node (t0, o0, t1) -> Node ((Node (t0, o0, t1)), None, Leaf))
             | Node (_, _, _) -> Node ((remove ii l), o, r))))
    | XH ->
      (match m with
       | Leaf -> Leaf
       | Node (l, _, r) ->
         (match l with
          | Leaf ->
            (match r with
             | Leaf -> Leaf
             | Node (_, _, _) -> Node (l, None, r))
          | Node (_, _, _) -> Node (l, None, r)))

  (** val xelements : 'a1 t -> key -> (key * 'a1) list **)

  let rec xelements m i =
    match m with
    | Leaf -> []
    | Node (l, o, r) ->
      (match o with
       | Some x ->
         app (xelements l (append i (XO XH))) ((i,
           x) :: (xelements r (append i (XI XH))))
       | None ->
         app (xelements l (append i (XO XH))) (xelements r (append i (XI XH))))

  (** val elements : 'a1 t -> (key * 'a1) list **)

  let elements m =
    xelements m XH

  (** val cardinal : 'a1 t -> nat **)

  let rec cardinal = function
  | Leaf -> O
  | Node (l, o, r) ->
    (match o with
     | Some _ -> S (Coq__1.add (cardinal l) (cardinal r))
     | None -> Coq__1.add (cardinal l) (cardinal r))

  (** val xfind : key -> key -> 'a1 t -> 'a1 option **)

  let rec xfind i j m =
    match i with
    | XI ii ->
      (match j with
       | XI jj -> xfind ii jj m
       | XO _ -> None
       | XH -> find i m)
    | XO ii ->
      (match j with
       | XI _ -> None
       | XO jj -> xfind ii jj m
       | XH -> find i m)
    | XH -> (match j with
             | XH -> find i m
             | _ -> None)

  (** val xmapi : (key -> 'a1 -> 'a2) -> 'a1 t -> key -> 'a2 t **)

  let rec xmapi f m i =
    match m with
    | Leaf -> Leaf
    | Node (l, o, r) ->
      Node ((xmapi f l (append i (XO XH))), (option_map (f i) o),
        (xmapi f r (append i (XI XH))))

  (** val mapi : (key -> 'a1 -> 'a2) -> 'a1 t -> 'a2 t **)

  let mapi f m =
    xmapi f m XH

  (** val map : ('a1 -> 'a2) -> 'a1 t -> 'a2 t **)

  let map f m =
    mapi (fun _ -> f) m

  (** val xmap2_l :
      ('a1 option -> 'a2 option -> 'a3 option) -> 'a1 t -> 'a3 t **)

  let rec xmap2_l f = function
  | Leaf -> Leaf
  | Node (l, o, r) -> Node ((xmap2_l f l), (f o None), (xmap2_l f r))

  (** val xmap2_r :
      ('a1 option -> 'a2 option -> 'a3 option) -> 'a2 t -> 'a3 t **)

  let rec xmap2_r f = function
  | Leaf -> Leaf
  | Node (l, o, r) -> Node ((xmap2_r f l), (f None o), (xmap2_r f r))

  (** val _map2 :
      ('a1 option -> 'a2 option -> 'a3 option) -> 'a1 t -> 'a2 t -> 'a3 t **)

  let rec _map2 f m1 m2 =
    match m1 with
    | Leaf -> xmap2_r f m2
    | Node (l1, o1, r1) ->
      (match m2 with
       | Leaf -> xmap2_l f m1
       | Node (l2, o2, r2) ->
         Node ((_map2 f l1 l2), (f o1 o2), (_map2 f r1 r2)))

  (** val map2 :
      ('a1 option -> 'a2 option -> 'a3 option) -> 'a1 t -> 'a2 t -> 'a3 t **)

  let map2 f =
    _map2 (fun o1 o2 ->
      match o1 with
      | Some _ -> f o1 o2
      | None -> (match o2 with
                 | Some _ -> f o1 o2
                 | None -> None))

  (** val xfoldi :
      (key -> 'a1 -> 'a2 -> 'a2) -> 'a1 t -> 'a2 -> key -> 'a2 **)

  let rec xfoldi f m v i =
    match m with
    | Leaf -> v
    | Node (l, o, r) ->
      (match o with
       | Some x ->
         xfoldi f r (f i x (xfoldi f l v (append i (XO XH))))
           (append i (XI XH))
       | None ->
         xfoldi f r (xfoldi f l v (append i (XO XH))) (append i (XI XH)))

  (** val fold : (key -> 'a1 -> 'a2 -> 'a2) -> 'a1 t -> 'a2 -> 'a2 **)

  let fold f m i =
    xfoldi f m i XH

  (** val equal : ('a1 -> 'a1 -> bool) -> 'a1 t -> 'a1 t -> bool **)

  let rec equal cmp m1 m2 =
    match m1 with
    | Leaf -> is_empty m2
    | Node (l1, o1, r1) ->
      (match m2 with
       | Leaf -> is_empty m1
       | Node (l2, o2, r2) ->
         (&&)
           ((&&)
             (match o1 with
              | Some v1 ->
                (match o2 with
                 | Some v2 -> cmp v1 v2
                 | None -> false)
              | None -> (match o2 with
                         | Some _ -> false
                         | None -> true)) (equal cmp l1 l2)) (equal cmp r1 r2))
 end

module PM = PositiveMap

(** val all : ('a1 -> bool) -> 'a1 list -> bool **)

let rec all f = function
| [] -> true
| a :: l' -> if f a then all f l' else false

(** val any : ('a1 -> bool) -> 'a1 list -> bool **)

let rec any f = function
| [] -> false
| a :: l' -> if f a then true else any f l'

(** val pick : ('a2 -> 'a1 -> bool) -> 'a1 -> bool -> 'a2 list -> 'a2 list **)

let pick ev x y v =
  fold_left (fun found c -> if eqb (ev c x) y then c :: found else found) v []

type 'pt pset = 'pt PM.t

(** val put : ('a1 -> positive) -> 'a1 pset -> 'a1 -> 'a1 pset **)

let put key0 s x =
  PM.add (key0 x) x s

(** val mem0 : ('a1 -> positive) -> 'a1 -> 'a1 pset -> bool **)

let mem0 key0 x s =
  match PM.find (key0 x) s with
  | Some _ -> true
  | None -> false

(** val set_of : ('a1 -> positive) -> 'a1 list -> 'a1 pset **)

let set_of key0 xs =
  fold_left (put key0) xs PM.empty

(** val points : 'a1 pset -> 'a1 list **)

let points s =
  map snd (PM.elements s)

(** val domain : ('a1 -> positive) -> 'a1 list -> 'a1 pset **)

let domain =
  set_of

(** val inside : ('a1 -> positive) -> 'a1 list -> 'a1 -> bool **)

let inside key0 dom x =
  mem0 key0 x (domain key0 dom)

(** val is_constant : ('a2 -> 'a1 -> bool) -> 'a2 list -> 'a1 -> bool **)

let is_constant ev v x =
  match v with
  | [] -> true
  | c :: _ -> let y = ev c x in all (fun c' -> eqb (ev c' x) y) v

(** val is_alike : ('a2 -> 'a1 -> bool) -> 'a2 list -> 'a1 -> 'a1 -> bool **)

let is_alike ev v x z =
  match v with
  | [] -> true
  | c :: _ ->
    let s = xorb (ev c x) (ev c z) in
    all (fun c' -> eqb (ev c' x) (xorb (ev c' z) s)) v

(** val is_covers :
    ('a2 -> 'a1 -> bool) -> ('a1 -> positive) -> 'a1 list -> 'a2 list -> 'a1
    pset -> bool **)

let is_covers ev key0 dom v s =
  all (fun x ->
    if if mem0 key0 x s then true else is_constant ev v x
    then true
    else any (is_alike ev v x) (points s)) dom

type 'pt pair = ('pt * 'pt) * bool

type 'pt pairs = 'pt pair list

(** val sources : 'a1 pairs -> 'a1 list **)

let sources m =
  map (fun p -> fst (fst p)) m

(** val targets : 'a1 pairs -> 'a1 list **)

let targets m =
  map (fun p -> snd (fst p)) m

(** val identity : 'a1 list -> 'a1 pairs **)

let identity dom =
  map (fun x -> ((x, x), false)) dom

(** val in_range : ('a1 -> positive) -> 'a1 list -> 'a1 pairs -> bool **)

let in_range key0 dom m =
  all (inside key0 dom) (targets m)

type 'row trie =
| Empty
| One of 'row
| Fork of 'row trie * 'row trie

(** val apart : ('a2 -> 'a1 -> bool) -> 'a1 list -> 'a2 -> 'a2 -> 'a2 trie **)

let rec apart ev zs c c' =
  match zs with
  | [] -> One c
  | z :: zs' ->
    if ev c z
    then if ev c' z
         then Fork (Empty, (apart ev zs' c c'))
         else Fork ((One c'), (One c))
    else if ev c' z
         then Fork ((One c), (One c'))
         else Fork ((apart ev zs' c c'), Empty)

(** val insert :
    ('a2 -> 'a1 -> bool) -> 'a1 list -> 'a2 -> 'a2 trie -> 'a2 trie **)

let rec insert ev zs c t0 = match t0 with
| Empty -> One c
| One c' -> apart ev zs c' c
| Fork (zero0, one0) ->
  (match zs with
   | [] -> t0
   | z :: zs' ->
     if ev c z
     then Fork (zero0, (insert ev zs' c one0))
     else Fork ((insert ev zs' c zero0), one0))

(** val find0 :
    ('a2 -> 'a1 -> bool) -> 'a1 pairs -> 'a2 -> 'a2 trie -> 'a2 option **)

let rec find0 ev m c = function
| Empty -> None
| One c' -> Some c'
| Fork (zero0, one0) ->
  (match m with
   | [] -> None
   | p :: m' ->
     let (p0, b) = p in
     let (x, _) = p0 in
     find0 ev m' c (if xorb (ev c x) b then one0 else zero0))

(** val trie_of :
    ('a2 -> 'a1 -> bool) -> 'a1 pairs -> 'a2 list -> 'a2 trie **)

let trie_of ev m w =
  let zs = targets m in fold_left (fun t0 c -> insert ev zs c t0) w Empty

(** val agrees : ('a2 -> 'a1 -> bool) -> 'a1 pairs -> 'a2 -> 'a2 -> bool **)

let agrees ev m c c' =
  all (fun p ->
    let (y, b) = p in let (x, z) = y in eqb (ev c' z) (xorb (ev c x) b)) m

(** val is_maps :
    ('a2 -> 'a1 -> bool) -> 'a2 list -> 'a2 list -> 'a1 pairs -> bool **)

let is_maps ev v w m =
  let t0 = trie_of ev m w in
  all (fun c ->
    match find0 ev m c t0 with
    | Some c' -> agrees ev m c c'
    | None -> false) v

(** val is_image :
    ('a2 -> 'a1 -> bool) -> ('a1 -> positive) -> 'a1 list -> 'a2 list -> 'a2
    list -> 'a1 pairs -> bool **)

let is_image ev key0 dom v w m =
  if if in_range key0 dom m
     then is_covers ev key0 dom v (set_of key0 (sources m))
     else false
  then is_maps ev v w m
  else false

(** val is_part :
    ('a2 -> 'a1 -> bool) -> 'a1 list -> 'a2 list -> 'a2 list -> bool **)

let is_part ev dom v w =
  is_maps ev v w (identity dom)

(** val many : ('a1 -> bool) -> nat -> 'a1 list -> 'a1 list option **)

let rec many f k v =
  match k with
  | O ->
    let rec seek = function
    | [] -> None
    | c :: v' -> if f c then Some v' else seek v'
    in seek v
  | S k' -> (match many f k' v with
             | Some v' -> many f k' v'
             | None -> None)

(** val few : ('a1 -> bool) -> nat -> 'a1 list -> bool **)

let few f k v =
  match many f k v with
  | Some _ -> false
  | None -> true

type 'row ruling = nat -> 'row list -> bool

(** val ahead :
    ('a2 -> 'a1 -> bool) -> 'a1 list -> 'a2 ruling list -> 'a2 ruling **)

let ahead ev dom below k v =
  match k with
  | O -> false
  | S k' ->
    all (fun x ->
      if if few (fun c -> ev c x) k' v
         then true
         else few (fun c -> negb (ev c x)) k' v
      then true
      else (match below with
            | [] -> false
            | _ :: _ ->
              let zero0 = pick ev x false v in
              let one0 = pick ev x true v in
              any (fun f -> if f k' zero0 then true else f k' one0) below))
      dom

(** val rulings :
    ('a2 -> 'a1 -> bool) -> 'a1 list -> nat -> 'a2 ruling list **)

let rec rulings ev dom = function
| O -> []
| S h' ->
  let below = rulings ev dom h' in app below ((ahead ev dom below) :: [])

(** val look_ahead : nat **)

let look_ahead =
  S (S (S O))

(** val counting :
    ('a2 -> 'a1 -> bool) -> 'a1 list -> nat -> 'a2 list -> bool **)

let counting ev dom k v =
  if few (fun _ -> true) k v
  then true
  else any (fun f -> f k v) (rulings ev dom look_ahead)

(** val is_symmetry :
    ('a2 -> 'a1 -> bool) -> ('a1 -> positive) -> 'a1 list -> 'a2 list -> 'a1
    pairs -> bool **)

let is_symmetry ev key0 dom v m =
  is_image ev key0 dom v v m

(** val carry :
    ('a1 -> positive) -> ('a1 pset * bool) -> 'a1 pair -> 'a1 pset * bool **)

let carry key0 state = function
| (p0, _) ->
  let (x, z) = p0 in
  let (u, _) = state in
  if if mem0 key0 z u then negb (mem0 key0 x u) else false
  then ((put key0 u x), true)
  else state

(** val closure :
    ('a1 -> positive) -> nat -> 'a1 pairs -> 'a1 pset -> 'a1 pset **)

let rec closure key0 rounds ps u =
  match rounds with
  | O -> u
  | S rounds' ->
    let (u', grown) = fold_left (carry key0) ps (u, false) in
    if grown then closure key0 rounds' ps u' else u'

(** val shset : ('a2 -> 'a1 -> bool) -> 'a1 list -> 'a2 list -> bool **)

let rec shset ev xs v =
  match xs with
  | [] -> (match v with
           | [] -> false
           | _ :: _ -> true)
  | x :: xs' ->
    if shset ev xs' (pick ev x false v)
    then shset ev xs' (pick ev x true v)
    else false

(** val distinct_from : ('a1 -> positive) -> 'a1 pset -> 'a1 list -> bool **)

let rec distinct_from key0 seen = function
| [] -> true
| x :: xs' ->
  if negb (mem0 key0 x seen)
  then distinct_from key0 (put key0 seen x) xs'
  else false

(** val distinct : ('a1 -> positive) -> 'a1 list -> bool **)

let distinct key0 xs =
  distinct_from key0 PM.empty xs

(** val is_set :
    ('a2 -> 'a1 -> bool) -> ('a1 -> positive) -> 'a1 list -> 'a1 list -> 'a2
    list -> bool **)

let is_set ev key0 dom xs v =
  if if distinct key0 xs then all (inside key0 dom) xs else false
  then shset ev xs v
  else false

type 'pt labelling = ('pt * bool) list

(** val induces : ('a2 -> 'a1 -> bool) -> 'a1 labelling -> 'a2 -> bool **)

let induces ev m c =
  all (fun p -> let (x, y) = p in eqb (ev c x) y) m

(** val is_nil : 'a1 list -> bool **)

let is_nil = function
| [] -> true
| _ :: _ -> false

(** val after : ('a1 -> positive) -> 'a1 -> 'a1 list list -> 'a1 list list **)

let rec after key0 x = function
| [] -> []
| l :: ms' ->
  (match l with
   | [] -> after key0 x ms'
   | z :: m ->
     if Pos.eqb (key0 x) (key0 z)
     then m :: (after key0 x ms')
     else after key0 x ms')

(** val begins :
    ('a1 -> positive) -> 'a1 list -> nat -> 'a1 list list -> bool **)

let rec begins key0 rest size ms =
  if any is_nil ms
  then true
  else (match size with
        | O -> false
        | S size' ->
          (match rest with
           | [] -> true
           | x :: rest' ->
             if begins key0 rest' size' (after key0 x ms)
             then begins key0 rest' size ms
             else false))

(** val is_missing :
    ('a2 -> 'a1 -> bool) -> ('a1 -> positive) -> 'a1 list -> 'a1 labelling
    list -> nat -> 'a2 list -> bool **)

let is_missing ev key0 dom missing d v =
  if if distinct key0 dom
     then all (fun m -> negb (any (induces ev m) v)) missing
     else false
  then begins key0 dom (S d) (map (map fst) missing)
  else false

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

(** val deep : 'a1 lower -> nat **)

let deep = function
| Unfolded (d, _, _) -> d
| Folded (d, _) -> d

type 'pt no_larger =
| Size
| Missing of 'pt labelling list

type 'pt certificate =
| LdimAtLeast of 'pt lower
| LdimAtMost of 'pt dag
| LdimIs of 'pt lower * 'pt dag
| VcdimAtLeast of 'pt list
| VcdimIs of 'pt list * 'pt no_larger

(** val spaces :
    ('a2 -> 'a1 -> bool) -> 'a1 entry list -> positive -> (('a2
    list * nat) * 'a1 reason) PM.t -> (('a2 list * nat) * 'a1 reason) PM.t
    option **)

let rec spaces ev es i found =
  match es with
  | [] -> Some found
  | e :: es' ->
    (match e.parent with
     | Some p ->
       (match PM.find p found with
        | Some p0 ->
          let (p1, _) = p0 in
          let (v, _) = p1 in
          let w =
            fold_left (fun v0 example ->
              pick ev (fst example) (snd example) v0) e.given v
          in
          spaces ev es' (Pos.succ i) (PM.add i ((w, e.depth), e.why) found)
        | None -> None)
     | None -> None)

(** val check_step :
    ('a2 -> 'a1 -> bool) -> ('a1 -> positive) -> 'a1 list -> (('a2
    list * nat) * 'a1 reason) PM.t -> 'a2 list -> nat -> 'a1 step -> bool **)

let check_step ev key0 dom m v k s =
  if inside key0 dom s.at_
  then let s0 = pick ev s.at_ s.side v in
       (match s.by_ with
        | Some p ->
          let (j, m0) = p in
          (match PM.find j m with
           | Some p0 ->
             let (p1, _) = p0 in
             let (w, d) = p1 in
             if Nat.leb d k
             then (match m0 with
                   | Some m1 -> is_image ev key0 dom s0 w m1
                   | None -> is_part ev dom s0 w)
             else false
           | None -> false)
        | None -> counting ev dom k s0)
  else false

(** val factors_depth :
    (('a2 list * nat) * 'a1 reason) PM.t -> nat -> (positive * 'a1 pairs)
    list -> nat option **)

let rec factors_depth m k = function
| [] -> Some O
| p :: fs' ->
  let (j, _) = p in
  (match PM.find j m with
   | Some p0 ->
     let (p1, _) = p0 in
     let (_, d) = p1 in
     (match factors_depth m k fs' with
      | Some sum -> if Nat.ltb d k then Some (add d sum) else None
      | None -> None)
   | None -> None)

(** val check_factor :
    ('a2 -> 'a1 -> bool) -> ('a1 -> positive) -> 'a1 list -> (('a2
    list * nat) * 'a1 reason) PM.t -> 'a2 list -> (positive * 'a1 pairs) ->
    bool **)

let check_factor ev key0 dom m v f =
  match PM.find (fst f) m with
  | Some p ->
    let (p0, _) = p in
    let (w, _) = p0 in
    if in_range key0 dom (snd f) then is_maps ev v w (snd f) else false
  | None -> false

(** val check_entry :
    ('a2 -> 'a1 -> bool) -> ('a1 -> positive) -> 'a1 list -> (('a2
    list * nat) * 'a1 reason) PM.t -> (('a2 list * nat) * 'a1 reason) -> bool **)

let check_entry ev key0 dom m = function
| (p, why0) ->
  let (v, k) = p in
  (match why0 with
   | Counting -> counting ev dom k v
   | Steps (ss, syms) ->
     (match k with
      | O -> false
      | S k' ->
        if if all (is_symmetry ev key0 dom v) syms
           then is_covers ev key0 dom v
                  (closure key0 (length dom) (concat syms)
                    (set_of key0 (map (fun s -> s.at_) ss)))
           else false
        then all (check_step ev key0 dom m v k') ss
        else false)
   | Factors fs ->
     (match factors_depth m k fs with
      | Some sum ->
        if if Nat.ltb sum (add k (length fs))
           then is_covers ev key0 dom v
                  (set_of key0 (flat_map (fun f -> sources (snd f)) fs))
           else false
        then all (check_factor ev key0 dom m v) fs
        else false
      | None -> false))

(** val check_dag :
    ('a2 -> 'a1 -> bool) -> ('a1 -> positive) -> 'a1 list -> 'a2 list -> 'a1
    dag -> bool **)

let check_dag ev key0 dom c u =
  match u.entries with
  | [] -> false
  | e :: es ->
    let { parent = parent0; given = given0; depth = k; why = why0 } = e in
    (match parent0 with
     | Some _ -> false
     | None ->
       (match given0 with
        | [] ->
          if Nat.eqb k u.bound
          then (match spaces ev es (XO XH) (PM.add XH ((c, k), why0) PM.empty) with
                | Some m ->
                  all (fun ie -> check_entry ev key0 dom m (snd ie))
                    (PM.elements m)
                | None -> false)
          else false
        | _ :: _ -> false))

(** val places :
    ('a2 -> 'a1 -> bool) -> 'a1 node list -> positive -> (('a2
    list * nat) * 'a1 node) PM.t -> (('a2 list * nat) * 'a1 node) PM.t option **)

let rec places ev ns i found =
  match ns with
  | [] -> Some found
  | n :: ns' ->
    (match n.place with
     | Some p0 ->
       let (p, y) = p0 in
       (match PM.find p found with
        | Some p1 ->
          let (p2, above) = p1 in
          let (v, n0) = p2 in
          (match n0 with
           | O -> None
           | S n1 ->
             (match n1 with
              | O -> None
              | S k ->
                places ev ns' (Pos.succ i)
                  (PM.add i (((pick ev above.root y v), (S k)), n) found)))
        | None -> None)
     | None -> None)

(** val is_place : 'a1 node -> positive -> bool -> bool **)

let is_place n i y =
  match n.place with
  | Some p0 -> let (p, y') = p0 in if Pos.eqb p i then eqb y' y else false
  | None -> false

(** val swap : 'a1 pairs -> 'a1 pairs **)

let swap m =
  map (fun p -> let (y, b) = p in let (x, z) = y in ((z, x), b)) m

(** val check_subtree :
    ('a2 -> 'a1 -> bool) -> ('a1 -> positive) -> 'a1 list -> (('a2
    list * nat) * 'a1 node) PM.t -> positive -> 'a2 list -> 'a1 -> nat ->
    bool -> 'a1 subtree -> bool **)

let check_subtree ev key0 dom m i v x k y = function
| ShatteredSet xs ->
  if if Nat.eqb (length xs) k then all (inside key0 dom) xs else false
  then shset ev xs (pick ev x y v)
  else false
| Below (j, matching) ->
  (match matching with
   | Some m0 ->
     (match PM.find j m with
      | Some p ->
        let (p0, _) = p in
        let (w, d) = p0 in
        if Nat.eqb d k
        then is_image ev key0 dom w (pick ev x y v) (swap m0)
        else false
      | None -> false)
   | None ->
     (match PM.find j m with
      | Some p -> let (_, n) = p in is_place n i y
      | None -> false))

(** val check_node :
    ('a2 -> 'a1 -> bool) -> ('a1 -> positive) -> 'a1 list -> (('a2
    list * nat) * 'a1 node) PM.t -> positive -> (('a2 list * nat) * 'a1 node)
    -> bool **)

let check_node ev key0 dom m i = function
| (p, n) ->
  let (v, k) = p in
  (match k with
   | O -> false
   | S k' ->
     if if inside key0 dom n.root
        then check_subtree ev key0 dom m i v n.root k' false n.zero
        else false
     then check_subtree ev key0 dom m i v n.root k' true n.one
     else false)

(** val check_folded :
    ('a2 -> 'a1 -> bool) -> ('a1 -> positive) -> 'a1 list -> 'a2 list -> nat
    -> 'a1 node list -> bool **)

let check_folded ev key0 dom c k ns =
  match k with
  | O ->
    (match ns with
     | [] -> (match c with
              | [] -> false
              | _ :: _ -> true)
     | _ :: _ -> false)
  | S _ ->
    (match ns with
     | [] -> false
     | n :: ns' ->
       (match n.place with
        | Some _ -> false
        | None ->
          (match places ev ns' (XO XH) (PM.add XH ((c, k), n) PM.empty) with
           | Some m ->
             all (fun s -> check_node ev key0 dom m (fst s) (snd s))
               (PM.elements m)
           | None -> false)))

(** val numbered : positive -> 'a1 list -> positive * 'a1 PM.t **)

let numbered start l =
  fold_left (fun state a -> ((Pos.succ (fst state)),
    (PM.add (fst state) a (snd state)))) l (start, PM.empty)

(** val power : nat -> positive **)

let power d =
  Nat.iter d (fun x -> XO x) XH

(** val gather : 'a1 list -> unit PM.t -> 'a1 PM.t **)

let gather c wanted =
  snd
    (fold_left (fun state c0 -> ((Pos.succ (fst state)),
      (if PM.mem (fst state) wanted
       then PM.add (fst state) c0 (snd state)
       else snd state))) c (XH, PM.empty))

(** val named_paths :
    ('a2 -> 'a1 -> bool) -> ('a1 -> positive) -> 'a1 list -> 'a1 PM.t ->
    (positive -> 'a2 option) -> nat -> positive -> 'a1 labelling -> bool **)

let rec named_paths ev key0 dom points0 leaf k p path =
  match k with
  | O -> (match leaf p with
          | Some c -> induces ev path c
          | None -> false)
  | S k' ->
    (match PM.find p points0 with
     | Some x ->
       if if inside key0 dom x
          then named_paths ev key0 dom points0 leaf k' (XO p) ((x,
                 false) :: path)
          else false
       then named_paths ev key0 dom points0 leaf k' (XI p) ((x, true) :: path)
       else false
     | None -> false)

(** val followed_paths :
    ('a2 -> 'a1 -> bool) -> ('a1 -> positive) -> 'a1 list -> 'a1 PM.t -> nat
    -> positive -> 'a2 list -> bool **)

let rec followed_paths ev key0 dom points0 k p v =
  match k with
  | O -> (match v with
          | [] -> false
          | _ :: _ -> true)
  | S k' ->
    (match PM.find p points0 with
     | Some x ->
       if if inside key0 dom x
          then followed_paths ev key0 dom points0 k' (XO p)
                 (pick ev x false v)
          else false
       then followed_paths ev key0 dom points0 k' (XI p) (pick ev x true v)
       else false
     | None -> false)

(** val check_unfolded :
    ('a2 -> 'a1 -> bool) -> ('a1 -> positive) -> 'a1 list -> 'a2 list -> nat
    -> 'a1 list -> positive list option -> bool **)

let check_unfolded ev key0 dom c k xs leaves =
  let (next, points0) = numbered XH xs in
  if Pos.eqb next (power k)
  then (match leaves with
        | Some names ->
          let (next', leaf) = numbered (power k) names in
          let concepts =
            gather c (fold_left (fun s i -> PM.add i () s) names PM.empty)
          in
          if Pos.eqb next' (power (S k))
          then named_paths ev key0 dom points0 (fun p ->
                 match PM.find p leaf with
                 | Some i -> PM.find i concepts
                 | None -> None) k XH []
          else false
        | None -> followed_paths ev key0 dom points0 k XH c)
  else false

(** val check_lower :
    ('a2 -> 'a1 -> bool) -> ('a1 -> positive) -> 'a1 list -> 'a2 list -> 'a1
    lower -> bool **)

let check_lower ev key0 dom c = function
| Unfolded (k, xs, leaves) -> check_unfolded ev key0 dom c k xs leaves
| Folded (k, ns) -> check_folded ev key0 dom c k ns

(** val check :
    ('a2 -> 'a1 -> bool) -> ('a1 -> positive) -> 'a1 list -> 'a2 list -> 'a1
    certificate -> bool **)

let check ev key0 dom c = function
| LdimAtLeast t0 -> check_lower ev key0 dom c t0
| LdimAtMost u -> check_dag ev key0 dom c u
| LdimIs (t0, u) ->
  if if Nat.eqb (S (deep t0)) u.bound
     then check_lower ev key0 dom c t0
     else false
  then check_dag ev key0 dom c u
  else false
| VcdimAtLeast xs -> is_set ev key0 dom xs c
| VcdimIs (xs, why_no) ->
  if is_set ev key0 dom xs c
  then (match why_no with
        | Size -> few (fun _ -> true) (S (length xs)) c
        | Missing missing -> is_missing ev key0 dom missing (length xs) c)
  else false
