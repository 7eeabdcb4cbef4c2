(** The checker as OCaml code, and what its proof rests on: nothing but Coq. *)

From Coq Require Import Extraction ExtrOcamlBasic.
From Lsclasses Require Import Ldim Rules Vc Check Iso.

Print Assumptions check_sound.
Print Assumptions ldim_iso.

Extraction Language OCaml.
Extraction "checker.ml" check.
