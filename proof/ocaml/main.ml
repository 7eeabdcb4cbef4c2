(* The proved checker on files. Exit status as that of 'lsclasses check': 0 if the claim is proved, 1 if
   the certificate does not prove its claim about the class, 2 if a file cannot be read. *)

let usage = "usage: lsclasses-proved [--closed] CERTIFICATE.json TABLE\n\
            \       lsclasses-proved --lines    (objects with certificate, table, closed; one a line)\n"

(* What the certificate claims, and whether it proves it; Malformed if it has another form. *)
let decide closed rows data =
  let claim, evidence = Certificates.read (Certificates.reading rows closed) data in
  let width = Array.length rows.Tables.points in
  let numbers = Array.init width (fun x -> Certificates.positive (x + 1)) in
  let key x = Array.unsafe_get numbers x in
  let domain = List.init width Fun.id in
  (* A row is its position in the table. *)
  let rec rows_from i found = if i < 0 then found else rows_from (i - 1) (i :: found) in
  let ev = if width <= 64 then Tables.word_label rows else Tables.label rows in
  claim, Checker.check ev key domain (rows_from (rows.Tables.count - 1) []) evidence

let refusal = "the proved checker does not accept it"

let on_files closed certificate table =
  let unreadable file why =
    Printf.eprintf "lsclasses-proved: Cannot read '%s': %s.\n" file why; exit 2 in
  let guarded file read =
    try read () with
    | Json.Malformed why -> unreadable file why
    | Sys_error why -> unreadable file why
    | End_of_file -> unreadable file "it is shorter than it should be"
    | Out_of_memory | Stack_overflow -> unreadable file "it is too large for the memory" in
  let start = Sys.time () in
  let rows = guarded table (fun () -> Tables.load table) in
  let data = guarded certificate (fun () -> Json.parse (Tables.read_file certificate)) in
  let refuse why =
    Printf.eprintf "lsclasses-proved: %s proves nothing of %s: %s.\n" certificate table why; exit 1 in
  match decide closed rows data with
  | claim, true ->
    Printf.printf "%s: %s is proved by %s (%.3g s).\n" table claim certificate (Sys.time () -. start)
  | _, false -> refuse refusal
  | exception Json.Malformed why -> refuse why
  | exception (Out_of_memory | Stack_overflow) -> refuse "it takes more memory than there is"

(* A claim for each line, or why it is not proved. *)
let on_lines () =
  try
    while true do
      let line = input_line stdin in
      print_endline (match
          (match Json.parse line with
           | Json.Object fields ->
             let field name = List.assoc name fields in
             decide (field "closed" = Json.Bool true) (Tables.of_json (field "table"))
               (field "certificate")
           | _ -> Json.malformed "expected an object")
        with
        | claim, true -> claim
        | _, false -> "refused: " ^ refusal
        | exception Json.Malformed why -> "refused: " ^ why
        | exception Not_found -> "refused: a field is missing")
    done
  with End_of_file -> ()

let () =
  Gc.set { (Gc.get ()) with minor_heap_size = 1 lsl 20; space_overhead = 300 };
  match List.tl (Array.to_list Sys.argv) with
  | ["--lines"] -> on_lines ()
  | ["--closed"; certificate; table] -> on_files true certificate table
  | [certificate; table] -> on_files false certificate table
  | _ -> prerr_string usage; exit 2
