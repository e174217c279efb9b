import type { Identity } from "../../agent/ids.ts";
import type { Failure } from "../../agent/failure.ts";
import type { HostMessage } from "../../trace/panel-protocol.ts";
import { Activity } from "./activity.ts";
import { AnswerUse } from "./answer-use.ts";
import { Comparison } from "./comparison.ts";
import { CriticPart } from "./critic-part.ts";
import type { PanelHostDeps, PanelUi } from "./deps.ts";
import { EvalPart } from "./eval-part.ts";
import { ForkHost } from "./fork.ts";
import { Judgements } from "./judgements.ts";
import type { PanelAsks } from "./panel-asks.ts";
import type { HostPart } from "./part.ts";
import { Requests } from "./requests.ts";
import { SettingsPart } from "./settings-part.ts";
import { SourcePart } from "./source-part.ts";

/** What the parts of the panel's host side are made of. */
export interface PartsDeps {
  readonly deps: PanelHostDeps;
  readonly ui: PanelUi;
  readonly identity: Identity;
  readonly post: (message: HostMessage) => void;
  /** Says why something was not done. */
  readonly notice: (problem: Failure) => void;
  /** Those that the host itself knows too. */
  readonly details: HostPart;
  readonly memory: HostPart;
  readonly asks: PanelAsks;
}

/** Those that have messages of their own. */
export function panelParts({ deps, ui, identity, post, notice, ...known }: PartsDeps): readonly HostPart[] {
  const { details, memory, asks } = known;
  return [
    new SourcePart(deps),
    new Requests({ deps, ui, post }),
    details,
    new Comparison(deps, post),
    new Judgements(deps, identity),
    new AnswerUse(deps, identity),
    new CriticPart(deps.critic, post, notice),
    new EvalPart({ post, notice, ...(deps.evals && { evals: deps.evals }) }),
    new Activity({ deps, post, now: () => identity.now() }),
    new SettingsPart(deps.settings, post),
    memory,
    asks,
    new ForkHost({ deps, post, begun: (asked) => asks.begun(asked) }),
  ];
}
