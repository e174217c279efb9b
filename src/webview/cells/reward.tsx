import type { VNode } from "preact";
import { SIGN_WORDS, signed, SOURCE_WORDS } from "../../trace/judged-words.ts";
import type { Reward, Sign } from "../../trace/judgements.ts";
import { when } from "../format.ts";
import { Icon } from "../icon.tsx";

/** What was concluded from what the user did, each with the evidence for it. */
export function SignsBody({ signs, now }: { readonly signs: readonly Sign[]; readonly now: number }): VNode {
  return (
    <>
      <ul class="signs">
        {signs.map(({ sign, rating, evidence, time }) => (
          <li key={sign}>
            <Icon name={rating === "up" ? "thumbsup" : "thumbsdown"} />
            <span>
              You {SIGN_WORDS[sign]}: taken as {rating === "up" ? "a sign for" : "a sign against"} the answer
              {evidence === undefined || evidence === "" ? null : <q class="evidence">{evidence}</q>}
            </span>
            <span class="num dim nowrap">{when(time, now)}</span>
          </li>
        ))}
      </ul>
      <p class="dim">
        By a rule, not by what you said: it weighs less than a thumb, and never goes before one.
      </p>
    </>
  );
}

/** What a reward is made of, and whose it is. */
export function RewardBody({ reward, now }: { readonly reward: Reward; readonly now: number }): VNode {
  const { value, reason, sources, agent, model, time } = reward;
  return (
    <>
      {sources.length === 0 ? (
        <p class="said">{reason}</p>
      ) : (
        <table class="reward-sources">
          <caption class="sr-only">What it is made of</caption>
          <tbody>
            {sources.map(({ kind, worth, time: at, event }) => (
              <tr key={event}>
                <th scope="row">{SOURCE_WORDS[kind]}</th>
                <td class="num">{signed(worth)}</td>
                <td class="dim">{when(at, now)}</td>
              </tr>
            ))}
            <tr class="sum">
              <th scope="row">{sources.length > 1 ? "together, bounded" : "worth"}</th>
              <td class="num">{signed(value)}</td>
              <td class="dim">{when(time, now)}</td>
            </tr>
          </tbody>
        </table>
      )}
      <p class="dim">
        {[agent, model].filter((word) => word !== undefined && word !== "").join(" · ")} gave the answer. From
        -1 to +1; it fades with time, and no reward brings back what the threshold keeps out of recall.
      </p>
    </>
  );
}
