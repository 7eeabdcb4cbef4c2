(* JSON as strictly as lsclasses reads it: no entry twice, nothing nested too deeply. *)

exception Malformed of string

type t =
  | Null
  | Bool of bool
  | Int of int
  | Huge of string  (* an integer beyond those of the machine, its digits *)
  | Float of float
  | Text of string
  | List of t list
  | Object of (string * t) list

let malformed format = Printf.ksprintf (fun s -> raise (Malformed s)) format
let deepest = 500

let add_utf8 buffer code =
  if code < 0x10000 && code land 0xF800 = 0xD800 then
    (* Half of a pair: not a character, but Python keeps it, so it must differ from all others. *)
    Buffer.add_string buffer (Printf.sprintf "\xED%c%c"
      (Char.chr (0x80 lor (code lsr 6 land 0x3F))) (Char.chr (0x80 lor (code land 0x3F))))
  else Buffer.add_utf_8_uchar buffer (Uchar.of_int code)

let parse (s : string) : t =
  let n = String.length s and i = ref 0 in
  let fail what = malformed "it is not valid JSON, or not complete (%s at byte %d)" what !i in
  let peek () = if !i < n then s.[!i] else '\000' in
  let rec blanks () =
    if !i < n && (match s.[!i] with ' ' | '\t' | '\n' | '\r' -> true | _ -> false) then
      (incr i; blanks ()) in
  let word w value =
    if !i + String.length w <= n && String.sub s !i (String.length w) = w then
      (i := !i + String.length w; value)
    else fail "an unknown word" in
  let hex4 () =
    if !i + 4 > n then fail "a short escape";
    let digits = String.sub s !i 4 in
    String.iter (function '0'..'9' | 'a'..'f' | 'A'..'F' -> () | _ -> fail "a wrong escape") digits;
    i := !i + 4; int_of_string ("0x" ^ digits) in
  let text () =
    incr i;
    let buffer = Buffer.create 16 in
    let rec go () =
      if !i >= n then fail "a text without an end";
      match s.[!i] with
      | '"' -> incr i
      | '\\' ->
        incr i;
        let c = peek () in
        incr i;
        (match c with
         | '"' | '\\' | '/' -> Buffer.add_char buffer c
         | 'b' -> Buffer.add_char buffer '\b' | 'f' -> Buffer.add_char buffer '\012'
         | 'n' -> Buffer.add_char buffer '\n' | 'r' -> Buffer.add_char buffer '\r'
         | 't' -> Buffer.add_char buffer '\t'
         | 'u' ->
           let high = hex4 () in
           let paired = high land 0xFC00 = 0xD800 && !i + 6 <= n && s.[!i] = '\\' && s.[!i + 1] = 'u' in
           let before = !i in
           let low = if paired then (i := !i + 2; hex4 ()) else 0 in
           if paired && low land 0xFC00 = 0xDC00 then
             add_utf8 buffer (0x10000 + ((high land 0x3FF) lsl 10) + (low land 0x3FF))
           else (i := before; add_utf8 buffer high)
         | _ -> fail "a wrong escape");
        go ()
      | c when c < ' ' -> fail "a control character in a text"
      | c -> Buffer.add_char buffer c; incr i; go () in
    go ();
    Buffer.contents buffer in
  let number () =
    let start = !i in
    let digits () =
      let from = !i in
      while (match peek () with '0'..'9' -> true | _ -> false) do incr i done;
      if !i = from then fail "a number without digits" in
    if peek () = '-' then incr i;
    if peek () = 'I' then word "Infinity" (Float infinity) else begin
      let leading = peek () = '0' in
      let from = !i in
      digits ();
      if leading && !i > from + 1 then (i := from + 1; fail "a number that begins with 0");
      let whole = ref true in
      if peek () = '.' then (whole := false; incr i; digits ());
      if peek () = 'e' || peek () = 'E' then begin
        whole := false; incr i;
        if peek () = '+' || peek () = '-' then incr i;
        digits ()
      end;
      let written = String.sub s start (!i - start) in
      if not !whole then Float (float_of_string written)
      else match int_of_string_opt written with Some k -> Int k | None -> Huge written
    end in
  let rec value depth =
    if depth > deepest then malformed "it is nested too deeply";
    blanks ();
    match peek () with
    | '"' -> Text (text ())
    | '{' -> incr i; Object (members depth)
    | '[' -> incr i; List (elements depth)
    | 'n' -> word "null" Null
    | 't' -> word "true" (Bool true)
    | 'f' -> word "false" (Bool false)
    | 'N' -> word "NaN" (Float nan)
    | 'I' -> word "Infinity" (Float infinity)
    | '-' | '0'..'9' -> number ()
    | _ -> fail "something else than a value"
  and elements depth =
    blanks ();
    if peek () = ']' then (incr i; []) else begin
      let found = ref [] and go = ref true in
      while !go do
        found := value (depth + 1) :: !found;
        blanks ();
        match peek () with
        | ',' -> incr i
        | ']' -> incr i; go := false
        | _ -> fail "a list without an end"
      done;
      List.rev !found
    end
  and members depth =
    blanks ();
    if peek () = '}' then (incr i; []) else begin
      let found = ref [] and go = ref true in
      while !go do
        blanks ();
        if peek () <> '"' then fail "an entry without a name";
        let name = text () in
        if List.mem_assoc name !found then malformed "an object has the entry %S twice" name;
        blanks ();
        if peek () <> ':' then fail "an entry without a value";
        incr i;
        found := (name, value (depth + 1)) :: !found;
        blanks ();
        match peek () with
        | ',' -> incr i
        | '}' -> incr i; go := false
        | _ -> fail "an object without an end"
      done;
      List.rev !found
    end in
  let found = value 0 in
  blanks ();
  if !i < n then fail "something after the end";
  found

(* What names of points and concepts are told apart by: Python holds 1 and 1.0 to be equal. *)
let rec name_key = function
  | Text s -> "t" ^ s
  | Int k -> "n" ^ string_of_int k
  | Huge digits -> "n" ^ digits
  | Float x when Float.is_integer x -> "n" ^ Printf.sprintf "%.0f" (x +. 0.)
  | Float x when Float.is_nan x || Float.abs x = infinity -> malformed "a name is not a finite number"
  | Float x -> Printf.sprintf "f%h" x
  | List parts ->
    let keys = List.map name_key parts in
    "(" ^ String.concat "" (List.map (fun k -> Printf.sprintf "%d:%s" (String.length k) k) keys) ^ ")"
  | _ -> malformed "a name is a text, a number or a list of names"
