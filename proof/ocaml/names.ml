(* Names of points and concepts in the cells of a CSV file, by the rule of lsclasses.point_names.from_text.

   A cell is a number if Python prints the number in the same way: 7 and 1.5 are numbers, while 01,
   1., 1e3 and -0 are strings. A cell is a tuple if Python prints the tuple in the same way, apart
   from blanks. A quoted string of Python is this string. Every other cell is a string, as it is. *)

open Json

exception Plain  (* the cell is not a literal of Python *)

type literal =
  | Boolean of bool
  | Integer of string
  | Real of float
  | String of string
  | Parts of literal list * bool  (* whether it is a tuple; else a list *)

(* Python refuses integers of more digits. *)
let most_digits = 4300

(* ---- how Python prints literals *)

(* The fewest digits that give the same float, as `repr` of Python prints them. *)
let print_float x =
  let rec shortest precision =
    let text = Printf.sprintf "%.*e" precision x in
    if precision >= 16 || float_of_string text = x then text else shortest (precision + 1) in
  let text = shortest 0 in
  let sign, text =
    if text.[0] = '-' then "-", String.sub text 1 (String.length text - 1) else "", text in
  let at = String.index text 'e' in
  let exponent = int_of_string (
    let e = String.sub text (at + 1) (String.length text - at - 1) in
    if e.[0] = '+' then String.sub e 1 (String.length e - 1) else e) in
  let mantissa = String.sub text 0 at in
  let digits = String.concat "" (String.split_on_char '.' mantissa) in
  let count = ref (String.length digits) in
  while !count > 1 && digits.[!count - 1] = '0' do decr count done;
  let digits = String.sub digits 0 !count in
  let n = String.length digits in
  let tail from = String.sub digits from (n - from) in
  sign ^
  if exponent < -4 || exponent >= 16 then
    Printf.sprintf "%c%s%se%c%02d" digits.[0] (if n > 1 then "." else "") (tail 1)
      (if exponent < 0 then '-' else '+') (abs exponent)
  else if exponent < 0 then "0." ^ String.make (-exponent - 1) '0' ^ digits
  else if n <= exponent + 1 then digits ^ String.make (exponent + 1 - n) '0' ^ ".0"
  else String.sub digits 0 (exponent + 1) ^ "." ^ tail (exponent + 1)

let print_string text =
  let quote = if String.contains text '\'' && not (String.contains text '"') then '"' else '\'' in
  let buffer = Buffer.create (String.length text + 2) in
  Buffer.add_char buffer quote;
  String.iter (fun c -> match c with
    | '\\' -> Buffer.add_string buffer "\\\\"
    | '\n' -> Buffer.add_string buffer "\\n"
    | '\r' -> Buffer.add_string buffer "\\r"
    | '\t' -> Buffer.add_string buffer "\\t"
    | c when c = quote -> Buffer.add_char buffer '\\'; Buffer.add_char buffer c
    | c when c < ' ' || c = '\127' ->
      Buffer.add_string buffer (Printf.sprintf "\\x%02x" (Char.code c))
    | c -> Buffer.add_char buffer c) text;
  Buffer.add_char buffer quote;
  Buffer.contents buffer

let rec print = function
  | Boolean b -> if b then "True" else "False"
  | Integer digits -> digits
  | Real x -> print_float x
  | String text -> print_string text
  | Parts ([only], true) -> "(" ^ print only ^ ",)"
  | Parts (parts, tuple) ->
    let inner = String.concat "," (List.map print parts) in
    if tuple then "(" ^ inner ^ ")" else "[" ^ inner ^ "]"

let without_blanks text =
  String.concat "" (String.split_on_char ' ' text)

(* ---- literals of Python *)

let is_digit c = c >= '0' && c <= '9'

let number word =
  let n = String.length word in
  let negative = n > 0 && word.[0] = '-' in
  let digits = if negative then String.sub word 1 (n - 1) else word in
  if digits = "" || not (is_digit digits.[0] || digits.[0] = '.') then raise Plain;
  if String.for_all is_digit digits then begin
    if String.length digits > most_digits then raise Plain;
    let zeros = String.for_all (fun c -> c = '0') digits in
    if digits.[0] = '0' && not zeros then raise Plain;
    Integer (if zeros then "0" else word)
  end else begin
    if not (String.for_all (fun c -> is_digit c || String.contains ".eE+-" c) digits) then
      raise Plain;
    match float_of_string_opt word with
    | Some x when Float.abs x < infinity -> Real x
    | _ -> raise Plain
  end

let parse word =
  let n = String.length word and i = ref 0 in
  let peek () = if !i < n then word.[!i] else '\000' in
  let starts text =
    let k = String.length text in !i + k <= n && String.sub word !i k = text in
  let rec blanks () =
    if !i < n then match word.[!i] with
      | ' ' | '\t' | '\012' -> incr i; blanks ()
      | '\\' when !i + 1 < n && word.[!i + 1] = '\n' -> i := !i + 2; blanks ()
      | _ -> () in
  let rec spaces () =
    (* Within parentheses a line may end. *)
    blanks ();
    match peek () with
    | '\n' | '\r' when !i < n -> incr i; spaces ()
    | '#' -> while !i < n && peek () <> '\n' do incr i done; if !i < n then spaces ()
    | _ -> () in
  let hexadecimal count =
    if !i + count > n then raise Plain;
    let digits = String.sub word !i count in
    let is_hex c = is_digit c || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F') in
    if not (String.for_all is_hex digits) then raise Plain;
    i := !i + count;
    int_of_string ("0x" ^ digits) in
  let character buffer code = if code > 0x10FFFF then raise Plain else add_utf8 buffer code in
  let escape buffer =
    let c = peek () in
    if !i >= n then raise Plain;
    incr i;
    match c with
    | '\\' | '\'' | '"' -> Buffer.add_char buffer c
    | 'a' -> Buffer.add_char buffer '\007' | 'b' -> Buffer.add_char buffer '\b'
    | 'f' -> Buffer.add_char buffer '\012' | 'n' -> Buffer.add_char buffer '\n'
    | 'r' -> Buffer.add_char buffer '\r' | 't' -> Buffer.add_char buffer '\t'
    | 'v' -> Buffer.add_char buffer '\011'
    | '\n' -> ()
    | 'x' -> character buffer (hexadecimal 2)
    | 'u' -> character buffer (hexadecimal 4)
    | 'U' -> character buffer (hexadecimal 8)
    | 'N' -> malformed "a name has the escape \\N of Python, which this program does not read"
    | '0'..'7' ->
      let code = ref (Char.code c - 48) and count = ref 1 in
      while !count < 3 && peek () >= '0' && peek () <= '7' do
        code := 8 * !code + Char.code (peek ()) - 48; incr i; incr count
      done;
      character buffer !code
    | c -> Buffer.add_char buffer '\\'; Buffer.add_char buffer c in
  let one_string buffer =
    let quote = peek () in
    let three = String.make 3 quote in
    let long = starts three in
    let finish = if long then three else String.make 1 quote in
    i := !i + String.length finish;
    while not (starts finish) do
      if !i >= n then raise Plain;
      match peek () with
      | '\\' -> incr i; escape buffer
      | '\n' | '\r' when not long -> raise Plain
      | c -> Buffer.add_char buffer c; incr i
    done;
    i := !i + String.length finish in
  let is_quote c = c = '\'' || c = '"' in
  let strings skip =
    let buffer = Buffer.create 16 in
    while is_quote (peek ()) do one_string buffer; skip () done;
    String (Buffer.contents buffer) in
  let rec value depth skip =
    if depth > 90 then raise Plain;
    match peek () with
    | '\'' | '"' -> strings skip
    | '(' -> incr i; sequence depth ')' skip
    | '[' -> incr i; sequence depth ']' skip
    | '-' ->
      incr i; skip ();
      (match word_of_number () with
       | w when w <> "" && w.[0] <> '-' -> let found = number ("-" ^ w) in skip (); found
       | _ -> raise Plain)
    | _ ->
      let w = word_of_number () in
      let found = match w with
        | "True" -> Boolean true | "False" -> Boolean false | w -> number w in
      skip (); found
  and word_of_number () =
    let from = !i in
    let continues () =
      !i < n && (match word.[!i] with
        | 'a'..'z' | 'A'..'Z' | '0'..'9' | '_' | '.' -> true
        | '+' | '-' -> !i > from && (word.[!i - 1] = 'e' || word.[!i - 1] = 'E')
        | _ -> false) in
    while continues () do incr i done;
    String.sub word from (!i - from)
  and sequence depth close skip =
    spaces ();
    let parts = ref [] and commas = ref 0 in
    while peek () <> close do
      if List.length !parts > !commas then raise Plain;
      parts := value (depth + 1) spaces :: !parts;
      if peek () = ',' then (incr i; incr commas; spaces ())
    done;
    incr i; skip ();
    match !parts with
    | [only] when close = ')' && !commas = 0 -> only
    | parts -> Parts (List.rev parts, close = ')') in
  let found = value 0 blanks in
  blanks ();
  if peek () = '#' then while !i < n && peek () <> '\n' do incr i done;
  if !i < n then raise Plain;
  found

let rec name = function
  | Boolean b -> Int (Bool.to_int b)
  | Integer digits ->
    (match int_of_string_opt digits with Some k -> Int k | None -> Huge digits)
  | Real x -> Float x
  | String text -> Text text
  | Parts (parts, _) -> List (List.map name parts)

(* Blanks as `str.strip` of Python removes them. *)
let wide_blanks =
  ["\xC2\x85"; "\xC2\xA0"; "\xE1\x9A\x80"; "\xE2\x80\xA8"; "\xE2\x80\xA9"; "\xE2\x80\xAF";
   "\xE2\x81\x9F"; "\xE3\x80\x80"]
  @ List.init 11 (fun k -> Printf.sprintf "\xE2\x80%c" (Char.chr (0x80 + k)))

let strip text =
  let is_blank c = c = ' ' || (c >= '\t' && c <= '\r') || (c >= '\x1c' && c <= '\x1f') in
  let rec from i j =
    let at k blank =
      let size = String.length blank in
      k >= i && k + size <= j && String.sub text k size = blank in
    if i < j && is_blank text.[i] then from (i + 1) j
    else if i < j && is_blank text.[j - 1] then from i (j - 1)
    else match List.find_opt (at i) wide_blanks with
      | Some blank -> from (i + String.length blank) j
      | None ->
        (match List.find_opt (fun blank -> at (j - String.length blank) blank) wide_blanks with
         | Some blank -> from i (j - String.length blank)
         | None -> String.sub text i (j - i)) in
  from 0 (String.length text)

let of_cell cell =
  let word = strip cell in
  let literal = word <> "" && String.contains "0123456789+-.('\"" word.[0]
                && not (String.contains word '\000') in
  try
    if not literal then raise Plain;
    match parse word with
    | String text -> Text text
    | Parts (_, true) as found when without_blanks (print found) = without_blanks word -> name found
    | (Integer _ | Real _) as found when print found = word -> name found
    | _ -> raise Plain
  with Plain -> Text word
