import { outputMessages } from "./messages.ts";
import { ATTRIBUTES as A, OPERATIONS } from "./names.ts";
import type { Project } from "./projection.ts";
import { rounded, usage } from "./values.ts";

/** The span of an agent (`invoke_agent`). */
export const agentStart: Project<"agent.start"> = (trace, event) => {
  const { data } = event;
  trace.begin(
    event,
    { name: `${OPERATIONS.agent} ${event.agent}` },
    {
      [A.operation]: OPERATIONS.agent,
      [A.conversation]: event.sessionId,
      [A.agent]: event.agent,
      [A.model]: data["gen_ai.request.model"],
      [A.role]: data["conclave.role"],
      [A.host]: data["conclave.host"],
      [A.sample]: data["conclave.sample"],
    },
  );
};

/** The tools that an agent is offered, on its span. */
export const toolSchema: Project<"tool.schema"> = (trace, event) => {
  const { tools } = event.data;
  const told = tools.map(({ name, description, parameters }) => ({
    type: "function",
    ...{ name, description, parameters },
  }));
  if (event.parentId !== null)
    trace.add(event.parentId, {
      [A.tools]: JSON.stringify(told),
      [A.protocol]: event.data["conclave.protocol"],
    });
};

/** What an agent answered, on its span. */
export const generation: Project<"response.generation"> = (trace, event) => {
  const { answer, thinking } = event.data;
  if (event.parentId !== null)
    trace.add(event.parentId, { [A.outputMessages]: outputMessages({ content: answer, thinking }) });
};

/** The end of an agent's span. */
export const agentEnd: Project<"agent.end"> = (trace, event) => {
  const { outcome, error } = event.data;
  trace.end(
    event.id,
    event.time,
    { outcome, ...(error !== undefined && { error }) },
    { ...usage(event.data), [A.duration]: rounded(event.data["conclave.duration_ms"]) },
  );
};
