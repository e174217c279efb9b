import { inputMessages, outputMessages } from "./messages.ts";
import { ATTRIBUTES as A, SPAN_EVENTS } from "./names.ts";
import type { Project } from "./projection.ts";
import { rounded, usage, whole } from "./values.ts";

/** The span that all others of a turn stand under. */
export const turnStart: Project<"turn.start"> = (trace, event) => {
  const { data } = event;
  trace.root(event, {
    [A.parentTurn]: data["conclave.parent_turn_id"] ?? undefined,
    [A.door]: data["conclave.door"],
    [A.background]: data["conclave.background"],
    [A.fork]: whole(data["conclave.fork"]),
  });
};

/** The question, as an event of the turn's span and as an attribute of it. */
export const query: Project<"query.received"> = (trace, event) => {
  const { query: asked, references } = event.data;
  trace.mark({ ...event, parentId: event.turnId }, SPAN_EVENTS.question, {
    content: asked,
    [A.references]: whole(references),
  });
  trace.add(event.turnId, { [A.query]: asked });
};

/** The end of the turn's span, with what the turn cost. */
export const turnEnd: Project<"turn.end"> = (trace, event) => {
  const { outcome, error } = event.data;
  trace.end(
    event.turnId,
    event.time,
    { outcome, ...(error !== undefined && { error }) },
    {
      ...usage(event.data),
      [A.duration]: rounded(event.data["conclave.duration_ms"]),
      [A.steps]: event.data["conclave.steps"],
      [A.messages]: whole(event.data["conclave.messages"]),
    },
  );
};

/** Question and answer of the turn, in the form that tools show as a conversation. */
export const dialog: Project<"answer.dialog"> = (trace, event) => {
  const { query: asked, answer, "conclave.sources": sources = [] } = event.data;
  trace.add(event.turnId, {
    [A.inputMessages]: inputMessages([{ role: "user", content: asked }]),
    [A.outputMessages]: outputMessages({ content: answer }),
    [A.answer]: answer,
    ...(sources.length > 0 && {
      [A.sources]: sources.map(({ uri }) => uri),
      [A.sourceTitles]: sources.map(({ title }) => title),
    }),
  });
};
