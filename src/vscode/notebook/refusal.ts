import { failure, type Failure } from "../../agent/failure.ts";

const UNTRUSTED = failure(
  "bad_input",
  "This folder is not trusted, so nothing of a notebook is run here. Trust the folder first, with the command Workspaces: Manage Workspace Trust.",
);
const NO_MODEL = failure("no_model", "No chat model is chosen yet. Select one.", { action: "select_model" });

/** Why a cell is not run at all, before anything is asked; undefined where nothing stands against it. */
export function refusal(isTrusted: boolean, model: string): Failure | undefined {
  if (!isTrusted) return UNTRUSTED;
  return model === "" ? NO_MODEL : undefined;
}
