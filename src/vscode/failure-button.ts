import type { Failure, FailureAction } from "../agent/failure.ts";
import { COMMANDS, settingId, type CommandId } from "./contributions.ts";

/** A button that mends a failure. */
export interface FailureButton {
  readonly title: string;
  readonly command: CommandId;
  readonly arguments?: readonly unknown[];
}

/** Where a failure came up, for the buttons that need it. */
export interface FailurePlace {
  readonly sessionId?: string;
  /** The question to ask again. */
  readonly question?: string;
}

const BUTTONS: Readonly<
  Record<FailureAction, (target: string | undefined, place: FailurePlace) => FailureButton>
> = {
  start_ollama: () => ({ title: "Start Ollama", command: COMMANDS.startOllama }),
  select_model: () => ({ title: "Select a model", command: COMMANDS.selectModel }),
  pull_model: (target) => ({
    title: target === undefined ? "Pull a model" : `Pull ${target}`,
    command: COMMANDS.pullModel,
    arguments: target === undefined ? [] : [target],
  }),
  open_settings: (target) => ({
    title: "Open settings",
    command: COMMANDS.openSettings,
    arguments: target === undefined ? [] : [target],
  }),
  enable_web: () => ({ title: "Turn on web tools", command: COMMANDS.enableWebTools }),
  cancel_running: (target, place) => ({
    title: "Cancel the running turn",
    command: COMMANDS.cancelTurn,
    arguments: [target ?? place.sessionId],
  }),
  check_setup: () => ({ title: "Check set-up", command: COMMANDS.checkSetup }),
  open_agent: (target) => ({
    title: target === undefined ? "Open an agent" : `Open ${target}`,
    command: COMMANDS.openAgent,
    arguments: target === undefined ? [] : [{ name: target }],
  }),
  retry: (_target, place) => ({
    title: "Ask again",
    command: COMMANDS.ask,
    arguments: [{ ...place, open: true }],
  }),
};

/** The setting that a failure of the code is mended by when it names none. */
const DEFAULT_TARGETS: Partial<Record<Failure["code"], string>> = {
  server_unreachable: settingId("ollamaHost"),
  timeout: settingId("requestTimeout"),
  context_overflow: settingId("contextLength"),
};

/** The button that mends a failure; undefined when nothing can be done about it. */
export function failureButton(failure: Failure, place: FailurePlace = {}): FailureButton | undefined {
  if (failure.action === undefined) return undefined;
  return BUTTONS[failure.action](failure.target ?? DEFAULT_TARGETS[failure.code], place);
}

/** What a failure's action does, without a place: the panel's own buttons run this. */
export function actionButton(action: FailureAction, target?: string): FailureButton {
  return BUTTONS[action](target, {});
}
