import { inputMessages, outputMessages } from "./messages.ts";
import { ATTRIBUTES as A, OPERATIONS } from "./names.ts";
import { projectMemoryTool } from "./project-memory.ts";
import type { Project } from "./projection.ts";
import { rounded, textOf, usage, whole } from "./values.ts";

/** A step stands on the span of its agent. */
export const stepStart: Project<"step.start"> = (trace, event) => {
  trace.step(event, {
    [A.step]: event.data.index,
    [A.stepId]: event.id,
    [A.protocol]: event.data["conclave.protocol"],
  });
};

/** The span of a model call (`chat`). */
export const modelStart: Project<"model.start"> = (trace, event) => {
  const { data } = event;
  trace.begin(
    event,
    { name: `${OPERATIONS.chat} ${data["gen_ai.request.model"]}`, kind: 3 },
    {
      [A.operation]: OPERATIONS.chat,
      [A.conversation]: event.sessionId,
      [A.agent]: event.agent,
      [A.provider]: data["gen_ai.provider.name"],
      [A.model]: data["gen_ai.request.model"],
      [A.temperature]: textOf(data["gen_ai.request.temperature"]),
      [A.seed]: data["gen_ai.request.seed"],
      [A.maxTokens]: data["gen_ai.request.max_tokens"],
      [A.reasoning]: data["conclave.think"],
      [A.stream]: true,
      [A.contextLength]: data["conclave.context_length"],
      "conclave.format": whole(data["conclave.format"]),
      [A.inputMessages]: inputMessages(data["conclave.messages"]),
    },
  );
};

/** The end of a model call's span: what the model gave, and how long each part took. */
export const modelEnd: Project<"model.end"> = (trace, event) => {
  const { data } = event;
  const { content, thinking, tool_calls: calls, error } = data;
  const reasons = data["gen_ai.response.finish_reasons"];
  const firstChunk = data["gen_ai.response.time_to_first_chunk"];
  const [finishReason] = reasons;
  trace.end(event.id, event.time, error === undefined ? {} : { error }, {
    [A.responseModel]: data["gen_ai.response.model"],
    [A.finishReasons]: reasons,
    [A.firstChunk]: firstChunk === undefined ? undefined : String(firstChunk / 1_000),
    ...usage(data),
    [A.outputMessages]: outputMessages({
      ...{ content, thinking, calls },
      ...(finishReason !== undefined && { finishReason }),
    }),
    [A.duration]: rounded(data["conclave.duration_ms"]),
    [A.firstChunkMs]: rounded(firstChunk),
    [A.load]: rounded(data["conclave.load_ms"]),
    [A.prompt]: rounded(data["conclave.prompt_ms"]),
    [A.generation]: rounded(data["conclave.generation_ms"]),
    [A.thinkingTime]: rounded(data["conclave.thinking_ms"]),
    [A.recovered]: data["conclave.recovered_from"],
  });
};

/** The span of a tool's call (`execute_tool`). */
export const toolRequest: Project<"tool.request"> = (trace, event) => {
  const { data } = event;
  trace.begin(
    event,
    { name: `${OPERATIONS.tool} ${data.name}` },
    {
      [A.operation]: OPERATIONS.tool,
      [A.agent]: event.agent,
      [A.tool]: data.name,
      "gen_ai.tool.type": "function",
      [A.callId]: data["gen_ai.tool.call.id"],
      [A.callArguments]: whole(data.arguments),
      [A.mended]: data["conclave.mended"],
      [A.chained]: data["conclave.chained"],
      [A.recovered]: data["conclave.recovered_from"],
    },
  );
};

/** The end of a tool's span: what it gave. */
export const toolResult: Project<"tool.result"> = (trace, event) => {
  const { result, details, error } = event.data;
  projectMemoryTool(trace, event);
  trace.end(event.id, event.time, error === undefined ? {} : { error }, {
    [A.callResult]: result,
    [A.summary]: details?.summary,
    [A.details]: whole(details),
    [A.duration]: rounded(event.data["conclave.duration_ms"]),
    [A.attempts]: event.data["conclave.attempts"],
  });
};
