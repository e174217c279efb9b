import { JSON_FORMS, type Form } from "./forms-json.ts";
import { TAGGED_FORMS } from "./forms-tagged.ts";

/** Each way in which models are known to write a call as text. */
export const FORMS: readonly Form[] = [...JSON_FORMS, ...TAGGED_FORMS];
