(* Certificates in the files of lsclasses, as what the proved checker takes.

   Nothing here has to be believed: whatever certificate comes out of this, the checker accepts it
   only if the claim that is made of it is true. *)

open Json
open Checker

(* Numbers of a file become unary ones in the proved checker, so they are bounded first. *)
let largest_depth = 10_000

let rec nat k = if k = 0 then O else S (nat (k - 1))
let rec positive k =
  if k = 1 then XH else if k land 1 = 1 then XI (positive (k lsr 1)) else XO (positive (k lsr 1))

let map f l = List.rev (List.rev_map f l)

let items = function List l -> l | _ -> malformed "expected a list"
let integer = function
  | Int k -> k
  | Huge _ -> malformed "a number is too large"
  | _ -> malformed "expected an integer"
let natural v =
  let k = integer v in
  if k < 0 then malformed "expected an integer >= 0";
  k
let below most v =
  let k = natural v in
  if k >= most then malformed "the number %d refers to nothing: there are %d" k most;
  k
let label v = match v with Int 0 -> false | Int 1 -> true | _ -> malformed "a label is 0 or 1"
let depth_of v =
  let k = natural v in
  if k > largest_depth then
    malformed "depths of more than %d are not read. Got %d" largest_depth k;
  k

let fields names = function
  | Object found when List.sort compare (List.map fst found) = List.sort compare names ->
    fun name -> List.assoc name found
  | Object _ -> malformed "expected an object with the fields %s" (String.concat ", " names)
  | _ -> malformed "expected an object"
let has name = function Object found -> List.mem_assoc name found | _ -> false

type reading = {
  table : Tables.t;
  column : Json.t -> int;  (* of the name of a point *)
  closed : bool;  (* leaves need no names *)
}

let reading table closed =
  let columns = Hashtbl.create 64 in
  Array.iteri (fun x key -> Hashtbl.replace columns key x) table.Tables.points;
  let column name = match Hashtbl.find_opt columns (name_key name) with
    | Some x -> x
    | None -> malformed "it names a point that is no point of the table" in
  { table; column; closed }

(* The points that occur are listed once; only those that are referred to must be points. *)
let listed r names =
  let names = Array.of_list (items names) in
  Array.iter (fun name -> ignore (name_key name)) names;
  fun j -> r.column names.(below (Array.length names) j)

let matching point v =
  map (fun triple -> match items triple with
    | [x; z; flip] -> ((point x, point z), label flip)
    | _ -> malformed "a pair of a matching is [point, point, 0 or 1]") (items v)

(* ---- trees *)

let unfolded r data =
  let data = fields ["depth"; "points"; "leaves"] data in
  let depth = natural (data "depth") in
  if depth > 60 then malformed "no computer holds a tree of depth %d" depth;
  let points = map r.column (items (data "points")) and leaves = items (data "leaves") in
  let without = r.closed && List.for_all ((=) Null) leaves in
  if without then begin
    if List.length leaves <> 1 lsl depth then
      malformed "a tree of depth %d has 2^%d leaves" depth depth;
    depth, Unfolded (nat depth, points, None)
  end else begin
    let positions = Hashtbl.create 64 in
    (match r.table.Tables.concepts with
     | Some names -> Array.iteri (fun i key -> Hashtbl.replace positions key i) names
     | None -> ());
    let position name =
      if r.table.Tables.concepts = None then
        match name_key name with
        | key when key.[0] = 'n' ->
          (match int_of_string_opt (String.sub key 1 (String.length key - 1)) with
           | Some i when i >= 0 && i < r.table.Tables.count -> i
           | _ -> malformed "a leaf names no concept")
        | _ -> malformed "a leaf names no concept"
      else match Hashtbl.find_opt positions (name_key name) with
        | Some i -> i
        | None -> malformed "a leaf names no concept" in
    let leaf = function Null -> malformed "a leaf names no concept" | name -> position name in
    depth, Unfolded (nat depth, points, Some (map (fun name -> positive (leaf name + 1)) leaves))
  end

let folded r data =
  let data = fields ["depth"; "points"; "nodes"] data in
  let depth = depth_of (data "depth") and point = listed r (data "points") in
  let values = Array.of_list (items (data "nodes")) in
  let count = Array.length values in
  let subtree = function
    | List points -> ShatteredSet (map point points)
    | Object _ as value ->
      let value = fields ["node"; "matching"] value in
      let j = below count (value "node") in
      Below (positive (j + 1), Some (matching point (value "matching")))
    | value -> Below (positive (below count value + 1), None) in
  let node i value =
    let place, rest = match items value with
      | [parent; side; root; zero; one] when i > 0 ->
        Some (positive (below i parent + 1), label side), [root; zero; one]
      | [root; zero; one] when i = 0 -> None, [root; zero; one]
      | _ -> malformed "the first node has no parent, and every other one a parent before it" in
    match rest with
    | [root; zero; one] -> { place; root = point root; zero = subtree zero; one = subtree one }
    | _ -> assert false in
  depth, Folded (nat depth, Array.to_list (Array.mapi node values))

let lower r data = if has "nodes" data then folded r data else unfolded r data

(* ---- failure DAGs *)

let entry r point count i value =
  ignore r;
  let origin =
    if has "given" value then ["parent"; "given"]
    else if has "point" value then ["parent"; "point"; "side"] else [] in
  let reasons =
    if has "factors" value then ["factors"]
    else if has "symmetries" value then ["steps"; "symmetries"] else ["steps"] in
  let value = fields (("depth" :: reasons) @ origin) value in
  let depth = depth_of (value "depth") in
  let restriction pair = match items pair with
    | [x; y] -> point x, label y
    | _ -> malformed "a restriction is [point, 0 or 1]" in
  let given = match origin with
    | [] -> []
    | [_; _] ->
      let given = map restriction (items (value "given")) in
      if List.length given = 1 then
        malformed "a single restriction is written as a point and a side";
      given
    | _ -> [point (value "point"), label (value "side")] in
  let parent = if origin = [] then None else Some (positive (below i (value "parent") + 1)) in
  let reference j = positive (below count j + 1) in
  let step v = match items v with
    | [x; y] -> { at_ = point x; side = label y; by_ = None }
    | [x; y; j; m] ->
      let m = if m = Null then None else Some (matching point m) in
      { at_ = point x; side = label y; by_ = Some (reference j, m) }
    | _ -> malformed "a step is [point, side] or [point, side, entry, matching]" in
  let factor v = match items v with
    | [j; m] -> reference j, matching point m
    | _ -> malformed "a factor is [entry, matching]" in
  let symmetries =
    if List.mem "symmetries" reasons then map (matching point) (items (value "symmetries")) else [] in
  let why =
    if reasons = ["factors"] then Factors (map factor (items (value "factors")))
    else if value "steps" = Null then begin
      if symmetries <> [] then malformed "symmetries carry steps to other points";
      Counting
    end else Steps (map step (items (value "steps")), symmetries) in
  let plain = reasons <> ["factors"] && symmetries = []
    && List.length given = (if parent = None then 0 else 1) in
  plain, { parent; given; depth = nat depth; why }

let dag r data =
  let data = fields ["dimension"; "points"; "entries"] data in
  let dimension = integer (data "dimension") in
  if dimension < -1 then malformed "a dimension is at least -1";
  if dimension >= largest_depth then
    malformed "dimensions of %d and more are not read. Got %d" largest_depth dimension;
  let point = listed r (data "points") in
  let values = Array.of_list (items (data "entries")) in
  let entries = Array.to_list (Array.mapi (entry r point (Array.length values)) values) in
  dimension, List.for_all fst entries,
  { bound = nat (dimension + 1); entries = map snd entries }

(* ---- the VC dimension *)

let shattered_set r data =
  let points = map r.column (items (fields ["points"] data "points")) in
  List.length points, points

let vcdim r data =
  let data = fields ["shattered"; "reason"; "missing"] data in
  let size, points = shattered_set r (data "shattered") in
  let example pair = match items pair with
    | [x; y] -> r.column x, label y
    | _ -> malformed "an example is [point, 0 or 1]" in
  let missing = map (fun labelling -> map example (items labelling)) (items (data "missing")) in
  size, VcdimIs (points, match data "reason" with
    | Text "size" when missing = [] -> Size
    | Text "size" -> malformed "labellings are listed, and the reason is the size"
    | Text "missing" -> Missing missing
    | _ -> malformed "the reason must be 'size' or 'missing'")

(* ---- files *)

let header = ["format"; "version"; "kind"; "claim"; "class"; "digest"]

(* What the evidence is for, and the evidence. The digest is not compared: whoever changes a file can
   write a new one, and has to get past the checker all the same. *)
let read r data =
  (match data with
   | Object found when List.assoc_opt "format" found = Some (Text "lsclasses-certificate") -> ()
   | _ -> malformed "a certificate is a JSON object with \"format\": \"lsclasses-certificate\"");
  let found = match data with Object found -> found | _ -> [] in
  let head name = match List.assoc_opt name found with
    | Some v -> v
    | None -> malformed "it has no %s" name in
  let evidence = Object (List.filter (fun (name, _) -> not (List.mem name header)) found) in
  let subject = fields ["concepts"; "points"; "sha256"] (head "class") in
  let width = Array.length r.table.Tables.points in
  if subject "concepts" <> Int r.table.Tables.count || subject "points" <> Int width then
    malformed "it is for a class of another size. This one has %d concepts on %d points"
      r.table.Tables.count width;
  let version, claim, certificate = match head "kind" with
    | Text "shattered-tree" ->
      let depth, tree = unfolded r evidence in
      1, Printf.sprintf "Ldim >= %d" depth, LdimAtLeast tree
    | Text "folded-tree" ->
      let depth, tree = folded r evidence in
      2, Printf.sprintf "Ldim >= %d" depth, LdimAtLeast tree
    | Text "failure-dag" ->
      let dimension, plain, dag = dag r evidence in
      (if plain then 1 else 2), Printf.sprintf "Ldim <= %d" dimension, LdimAtMost dag
    | Text "ldim" ->
      let halves = fields ["tree"; "dag"] evidence in
      let depth, tree = lower r (halves "tree") in
      let _, plain, dag = dag r (halves "dag") in
      let version = match tree with Unfolded _ when plain -> 1 | _ -> 2 in
      version, Printf.sprintf "Ldim = %d" depth, LdimIs (tree, dag)
    | Text "shattered-set" ->
      let size, points = shattered_set r evidence in
      1, Printf.sprintf "VCdim >= %d" size, VcdimAtLeast points
    | Text "vcdim" ->
      let size, certificate = vcdim r evidence in
      1, Printf.sprintf "VCdim = %d" size, certificate
    | _ -> malformed "the proved checker does not know this kind of certificate" in
  if head "version" <> Int version then
    malformed "the evidence is of version %d of the format, which the certificate does not say" version;
  if head "claim" <> Text claim then
    malformed "the certificate claims something else than %s, which its evidence is for" claim;
  claim, certificate
