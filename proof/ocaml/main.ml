(* lsclasses-proved CERTIFICATE TABLE: the proved checker on files.

   Exit status 0: the claim is proved; 1: the certificate does not prove its claim about the class; 2: a
   file cannot be read. As 'lsclasses check'. *)

let usage = "usage: lsclasses-proved [--closed] CERTIFICATE.json TABLE\n"

let () =
  let closed = Array.exists ((=) "--closed") Sys.argv in
  let files = List.filter ((<>) "--closed") (List.tl (Array.to_list Sys.argv)) in
  let certificate, table = match files with
    | [certificate; table] -> certificate, table
    | _ -> prerr_string usage; exit 2 in
  let unreadable file why =
    Printf.eprintf "lsclasses-proved: Cannot read '%s': %s.\n" file why; exit 2 in
  let start = Sys.time () in
  let guarded file read =
    try read () with
    | Json.Malformed why -> unreadable file why
    | Sys_error why -> unreadable file why
    | End_of_file -> unreadable file "it is shorter than it should be"
    | Out_of_memory | Stack_overflow -> unreadable file "it is too large for the memory" in
  let rows = guarded table (fun () -> Tables.load table) in
  let refuse why =
    Printf.eprintf "lsclasses-proved: %s proves nothing of %s: %s.\n" certificate table why;
    exit 1 in
  let data = guarded certificate (fun () -> Json.parse (Tables.read_file certificate)) in
  let claim, evidence =
    try Certificates.read (Certificates.reading rows closed) data
    with Json.Malformed why -> refuse why in
  let width = Array.length rows.Tables.points in
  let numbers = Array.init width (fun x -> Certificates.positive (x + 1)) in
  let key x = Array.unsafe_get numbers x in
  let domain = List.init width Fun.id in
  let rec class_of row i found = if i < 0 then found else class_of row (i - 1) (row i :: found) in
  let accepted =
    if width <= 62 then begin
      (* A row is a number, whose bit x is the label of the point x. *)
      let row i =
        let bits = ref 0 in
        for x = width - 1 downto 0 do
          bits := (!bits lsl 1) lor (if Tables.label rows i x then 1 else 0)
        done;
        !bits in
      let ev row x = (row lsr x) land 1 = 1 in
      Checker.check ev key domain (class_of row (rows.Tables.count - 1) []) evidence
    end else
      (* A row is its position in the table. *)
      Checker.check (Tables.label rows) key domain
        (class_of Fun.id (rows.Tables.count - 1) []) evidence in
  if not accepted then refuse "the proved checker does not accept it";
  Printf.printf "%s: %s is proved by %s (%.3g s).\n" table claim certificate
    (Sys.time () -. start)
