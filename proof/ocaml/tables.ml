(* Tables of labels in the files of lsclasses: JSON, CSV, NPY, and packed rows.

   This, with the printing of a claim, is what must be believed besides Coq, its extraction and the
   compiler of OCaml: that a row holds the labels that the file gives to the points. *)

open Json

type t = {
  points : string array;  (* keys of the names, one a column *)
  concepts : string array option;
  count : int;
  stride : int;
  packed : Bytes.t;  (* eight labels to a byte, the first point highest *)
}

let label t =
  let packed = t.packed and stride = t.stride in
  fun i x -> Char.code (Bytes.unsafe_get packed (i * stride + (x lsr 3))) land (0x80 lsr (x land 7)) <> 0

external word : Bytes.t -> int -> int64 = "%caml_bytes_get64u"

(* The same for at most 64 points, several times as fast: a row is copied into a word, whose bit x is
   the label of the point x. *)
let word_label t =
  let reversed = Array.init 256 (fun byte ->
    let bits = ref 0 in
    for j = 0 to 7 do if byte land (0x80 lsr j) <> 0 then bits := !bits lor (1 lsl j) done;
    Char.chr !bits) in
  let words = Bytes.make (8 * t.count) '\000' in
  for i = 0 to t.count - 1 do
    for j = 0 to t.stride - 1 do
      let byte = Char.code (Bytes.get t.packed (i * t.stride + j)) in
      Bytes.set words (8 * i + j) reversed.(byte)
    done
  done;
  if Sys.big_endian then failwith "words of this machine begin with their highest byte";
  fun i x -> Int64.to_int (Int64.shift_right_logical (word words (i lsl 3)) x) land 1 <> 0

let read_file path =
  let channel = open_in_bin path in
  Fun.protect ~finally:(fun () -> close_in_noerr channel) (fun () ->
    really_input_string channel (in_channel_length channel))

(* Of equal rows the first one stays, as in lsclasses. *)
let distinct t =
  let seen = Hashtbl.create (2 * t.count) and kept = ref [] in
  for i = 0 to t.count - 1 do
    let row = Bytes.sub_string t.packed (i * t.stride) t.stride in
    if not (Hashtbl.mem seen row) then (Hashtbl.add seen row (); kept := i :: !kept)
  done;
  let kept = Array.of_list (List.rev !kept) in
  if Array.length kept = t.count then t else begin
    let packed = Bytes.create (Array.length kept * t.stride) in
    Array.iteri (fun j i -> Bytes.blit t.packed (i * t.stride) packed (j * t.stride) t.stride) kept;
    { t with count = Array.length kept; packed;
      concepts = Option.map (fun names -> Array.map (fun i -> names.(i)) kept) t.concepts }
  end

let require_distinct what keys =
  let seen = Hashtbl.create 64 in
  Array.iter (fun k ->
    if Hashtbl.mem seen k then malformed "%s are distinct; one is there twice" what;
    Hashtbl.add seen k ()) keys

let make points concepts count get =
  let width = Array.length points in
  if width = 0 || count = 0 then malformed "a table has at least one point and one concept";
  require_distinct "the names of points" points;
  Option.iter (require_distinct "the names of concepts") concepts;
  let stride = (width + 7) / 8 in
  let packed = Bytes.make (count * stride) '\000' in
  for i = 0 to count - 1 do
    for x = 0 to width - 1 do
      if get i x then begin
        let at = i * stride + (x lsr 3) in
        let byte = Char.code (Bytes.get packed at) in
        Bytes.set packed at (Char.chr (byte lor (0x80 lsr (x land 7))))
      end
    done
  done;
  distinct { points; concepts; count; stride; packed }

(* ---- JSON *)

let keys names = Array.of_list (List.rev (List.rev_map name_key names))

let of_json data =
  let field name = match data with
    | Object fields -> (match List.assoc_opt name fields with Some v -> v | None -> Null)
    | _ -> malformed "a table in JSON is an object" in
  if field "format" <> Text "lsclasses-table" then
    malformed "a table in JSON is an object with \"format\": \"lsclasses-table\"";
  if field "version" <> Int 1 then malformed "its version must be 1";
  match field "points", field "concepts", field "rows" with
  | List points, concepts, List rows ->
    let points = keys points in
    let width = Array.length points in
    let concepts = match concepts with
      | Null -> None
      | List names -> Some (keys names)
      | _ -> malformed "\"concepts\" must be a list of names" in
    let bits i = function
      | Text s when String.length s = width && String.for_all (fun c -> c = '0' || c = '1') s -> s
      | List entries when List.length entries = width ->
        let digit = function
          | Int 0 | Text "0" -> '0' | Int 1 | Text "1" -> '1'
          | _ -> malformed "entries must be 0 or 1; row %d has others" i in
        String.of_seq (List.to_seq (List.map digit entries))
      | _ -> malformed "row %d must have %d entries, 0 or 1" i width in
    let rows = Array.of_list (List.mapi bits rows) in
    (match concepts with
     | Some names when Array.length names <> Array.length rows ->
       malformed "there are as many names of concepts as rows"
     | _ -> ());
    make points concepts (Array.length rows) (fun i x -> rows.(i).[x] = '1')
  | _ -> malformed "it needs the lists \"points\" and \"rows\""

(* ---- CSV *)

(* The cells of every line that is not blank. *)
let lines text =
  let n = String.length text in
  let start = if n >= 3 && String.sub text 0 3 = "\xEF\xBB\xBF" then 3 else 0 in
  let found = ref [] and cells = ref [] and cell = Buffer.create 16 in
  let end_cell () = cells := Buffer.contents cell :: !cells; Buffer.clear cell in
  let blank = ref true in
  let end_line () =
    if not !blank then (end_cell (); found := List.rev !cells :: !found);
    cells := []; Buffer.clear cell; blank := true in
  let rec plain i =
    if i >= n then end_line ()
    else match text.[i] with
      | '\r' | '\n' -> end_line (); plain (i + 1)
      | ',' -> blank := false; end_cell (); plain (i + 1)
      | '"' when Buffer.length cell = 0 -> blank := false; quoted (i + 1)
      | c -> blank := false; Buffer.add_char cell c; plain (i + 1)
  and quoted i =
    if i >= n then malformed "a quoted entry has no end"
    else match text.[i] with
      | '"' when i + 1 < n && text.[i + 1] = '"' -> Buffer.add_char cell '"'; quoted (i + 2)
      | '"' when i + 1 >= n || String.contains ",\r\n" text.[i + 1] -> plain (i + 1)
      | '"' -> malformed "something follows a quoted entry"
      | c -> Buffer.add_char cell c; quoted (i + 1) in
  plain start;
  List.rev !found

let cell_key cell =
  name_key (Names.of_cell cell)

let of_csv text =
  let lower s = String.lowercase_ascii (String.trim s) in
  let digit s = match lower s with
    | "0" | "false" -> Some false | "1" | "true" -> Some true | _ -> None in
  match lines text with
  | [] -> malformed "the file is empty"
  | header :: body ->
    let body = Array.of_list body in
    Array.iter (fun cells ->
      if List.length cells <> List.length header then
        malformed "every line has as many entries as the header") body;
    let named = List.mem (lower (List.hd header)) [""; "concept"; "name"]
      || (List.length header > 1
          && Array.for_all (fun cells -> digit (List.hd cells) = None) body) in
    let rest cells = if named then List.tl cells else cells in
    List.iter (fun head ->
      if String.trim head = "" then malformed "a point has no name in the header") (rest header);
    let points = Array.of_list (List.map cell_key (rest header)) in
    let labels = Array.map (fun cells ->
      Array.of_list (List.map (fun cell -> match digit cell with
        | Some y -> y
        | None -> malformed "entries must be 0 or 1, or False or True") (rest cells))) body in
    let concepts =
      if named then Some (Array.map (fun cells -> cell_key (List.hd cells)) body) else None in
    make points concepts (Array.length body) (fun i x -> labels.(i).(x))

(* ---- NPY *)

let of_npy data =
  let fail () = malformed "it is no array of whole numbers, 0 and 1, as lsclasses saves one" in
  if String.length data < 12 || String.sub data 0 6 <> "\x93NUMPY" then fail ();
  let two at = Char.code data.[at] lor (Char.code data.[at + 1] lsl 8) in
  let start, size = match data.[6] with
    | '\001' -> 10, two 8
    | '\002' -> 12, two 8 lor (two 10 lsl 16)
    | _ -> fail () in
  if String.length data < start + size then fail ();
  let header = String.sub data start size in
  let item =
    match List.find_opt (fun (name, _) ->
        let quoted = Printf.sprintf "'descr': '%s'" name in
        let rec at i = i + String.length quoted <= size
          && (String.sub header i (String.length quoted) = quoted || at (i + 1)) in
        at 0)
      ["|u1", 1; "|b1", 1; "|i1", 1; "<i2", 2; "<i4", 4; "<i8", 8; "<u2", 2; "<u4", 4; "<u8", 8]
    with Some (_, bytes) -> bytes | None -> fail () in
  let by_columns =
    let rec at i = i + 4 <= size && (String.sub header i 4 = "True" || at (i + 1)) in at 0 in
  let count, width =
    try Scanf.sscanf (String.sub header (String.index header '(')
        (size - String.index header '(')) "(%d, %d)" (fun a b -> (a, b))
    with _ -> fail () in
  let body = start + size in
  if count < 0 || width < 0 || count > Sys.max_string_length / max 1 (width * item)
     || String.length data <> body + count * width * item then fail ();
  let get i x =
    let at = body + item * (if by_columns then x * count + i else i * width + x) in
    for k = 1 to item - 1 do if data.[at + k] <> '\000' then fail () done;
    match data.[at] with '\000' -> false | '\001' -> true | _ -> fail () in
  make (Array.init width (fun x -> name_key (Int x))) None count get

(* ---- packed rows: a line of JSON with the names, and after it the bytes *)

let of_packed path =
  let channel = open_in_bin path in
  Fun.protect ~finally:(fun () -> close_in_noerr channel) (fun () ->
    let head = parse (input_line channel) in
    match head with
    | Object ["format", Text "lsclasses-packed"; "version", Int 1; "points", List points;
              "concepts", concepts; "rows", Int count] ->
      let points = keys points in
      let stride = (Array.length points + 7) / 8 in
      let concepts = match concepts with
        | Null -> None
        | List names -> Some (keys names)
        | _ -> malformed "\"concepts\" must be a list of names" in
      require_distinct "the names of points" points;
      Option.iter (require_distinct "the names of concepts") concepts;
      if stride = 0 || count <= 0 then malformed "a table has at least one point and one concept";
      (match concepts with
       | Some names when Array.length names <> count ->
         malformed "there are as many names of concepts as rows"
       | _ -> ());
      if count > Sys.max_string_length / stride
         || in_channel_length channel - pos_in channel <> count * stride then
        malformed "it should hold %d rows of %d bytes after its first line" count stride;
      let packed = Bytes.create (count * stride) in
      really_input channel packed 0 (count * stride);
      { points; concepts; count; stride; packed }
    | _ -> malformed "its first line is no head of packed rows")

let load path =
  match String.lowercase_ascii (Filename.extension path) with
  | ".json" -> of_json (parse (read_file path))
  | ".csv" -> of_csv (read_file path)
  | ".npy" -> of_npy (read_file path)
  | ".packed" -> of_packed path
  | _ ->
    malformed "a table is a file .json, .csv, .npy or .packed; of a class in closed form, or in \
      another file, 'lsclasses check --proved' writes its rows into one"
