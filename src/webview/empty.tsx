import type { VNode } from "preact";
import { FailureBox } from "./cells/failure-box.tsx";
import { Icon } from "./icon.tsx";
import { SourceEmpty } from "./source-foot.tsx";
import type { Store } from "./store.ts";

const FIRST_QUESTIONS = [
  "What did we decide about the cache?",
  "What do you remember of this project?",
  "Explain the open file, and what could go wrong in it.",
];

/** What to ask first, and what is missing before an answer can come, each with its button. */
export function Empty({ store }: { readonly store: Store }): VNode {
  const source = store.frame?.source;
  if (source !== undefined) return <SourceEmpty source={source} />;
  const problems = store.frame?.problems ?? [];
  return (
    <div class="empty" tabIndex={0} role="region" aria-label="New session">
      <h2>Ask the conclave</h2>
      <p class="dim">Questions stay on this machine. Every step of an answer is laid open here.</p>
      {problems.length === 0 ? null : (
        <ul class="missing" aria-label="What is missing">
          {problems.map((problem) => (
            <li key={problem.message}>
              <Icon name="warning" tone="warning" />
              <FailureBox store={store} failure={problem} />
            </li>
          ))}
        </ul>
      )}
      <ul class="first" aria-label="Questions to begin with">
        {FIRST_QUESTIONS.map((question) => (
          <li key={question}>
            <button type="button" class="quiet" onClick={() => store.write(question)}>
              <Icon name="comment" /> {question}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
