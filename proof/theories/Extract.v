(** The checker as OCaml code, and what its proof rests on: nothing but Coq. *)

From Coq Require Import Extraction ExtrOcamlBasic.
From Lsclasses Require Import Ldim Rules Vc Check Iso Learning Known.

Print Assumptions check_sound.
Print Assumptions shatters_sh.
Print Assumptions ldim_iso.
Print Assumptions vcdim_le_ldim.
Print Assumptions every_learner_errs.
Print Assumptions soa_errs_at_most.
Print Assumptions certified_mistake_bound.
Print Assumptions ldim_le_log2.
Print Assumptions ldim_product.
Print Assumptions ldim_thresholds.
Print Assumptions ldim_points.
Print Assumptions branchwise_is_wrong.

Extraction Language OCaml.
Extraction "checker.ml" check.
