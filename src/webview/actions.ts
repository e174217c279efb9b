import type { Failure, FailureAction } from "../agent/failure.ts";

const LABELS: { readonly [action in FailureAction]: string } = {
  start_ollama: "Start Ollama",
  select_model: "Select a model",
  pull_model: "Pull the model",
  open_settings: "Open settings",
  enable_web: "Turn web on",
  cancel_running: "Stop the running turn",
  check_setup: "Check set-up",
  open_agent: "Open an agent",
  retry: "Ask again",
};

/** What the button of a failure says; undefined when there is nothing to do. */
export function actionLabel({ action, target }: Failure): string | undefined {
  if (action === "pull_model" && target !== undefined) return `Pull ${target}`;
  if (action === "open_agent" && target !== undefined) return `Open ${target}`;
  return action === undefined ? undefined : LABELS[action];
}
