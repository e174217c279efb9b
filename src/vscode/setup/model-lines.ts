import { toolModelfile } from "../../agent/models/tool-modelfile.ts";
import type { CallForm } from "../../agent/protocols/call-form.ts";
import { plainMarkdown, sizeText } from "../chat/words.ts";
import { canChat } from "../models/entry.ts";
import { failureLine, fault, note, ok, type SetupFacts, type SetupLine } from "./lines.ts";

/** What the server is and which models it has. */
export function serverLines({ version, models, host }: SetupFacts): SetupLine[] {
  if (!version.ok) return [failureLine("Ollama", version.failure)];
  const server = ok("Ollama", `version ${plainMarkdown(version.value)} at ${plainMarkdown(host)}`);
  if (!models.ok) return [server, failureLine("Models", models.failure)];
  const usable = models.value.filter(canChat);
  if (usable.length === 0)
    return [
      server,
      fault(
        "Models",
        "none that answers questions",
        "Run **Conclave: Pull Model**; `qwen3:8b` is a good start.",
      ),
    ];
  const names = usable.map(
    (model) =>
      `${plainMarkdown(model.name)}${model.sizeBytes === undefined ? "" : ` (${sizeText(model.sizeBytes)})`}`,
  );
  const shown = names.slice(0, 12).join(", ");
  return [server, ok("Models", `${usable.length}: ${shown}${names.length > 12 ? ", and more" : ""}`)];
}

const CALLS: { readonly [form in CallForm]: string } = {
  native: "yes",
  text: "as text: the model writes its calls into its answer, and Conclave reads them there",
  none: "offered, but the model called none when it was asked to",
};

function callLine({ chosen, calls }: SetupFacts): SetupLine {
  const part = "Tool calls";
  if (chosen?.ok !== true || !chosen.value.capabilities.includes("tools"))
    return note(part, "not natively: tools are offered by constrained output");
  if (calls === undefined) return ok(part, "yes");
  if (!calls.ok) return note(part, `not checked: ${plainMarkdown(calls.failure.message)}`);
  const form = calls.value;
  if (form === "native") return ok(part, CALLS.native);
  const mend = form === "text" && toolModelfile(chosen.value) !== undefined;
  return note(part, CALLS[form], mend ? "The Modelfile below has the server read them." : undefined);
}

/** What the chosen model is and can. */
export function modelLines(facts: SetupFacts): SetupLine[] {
  const { chosen, settings, version } = facts;
  if (settings.model === "")
    return [
      fault(
        "Chat model",
        "none selected in the settings",
        "Run **Conclave: Select Model**, or pick one in the Chat view.",
      ),
    ];
  if (chosen === undefined || !version.ok) return [note("Chat model", plainMarkdown(settings.model))];
  if (!chosen.ok) return [failureLine("Chat model", chosen.failure)];
  const { name, parameterSize, quantization, capabilities } = chosen.value;
  const size = [parameterSize, quantization].filter((each) => each !== undefined).join(", ");
  const thinks = capabilities.includes("thinking");
  return [
    ok("Chat model", `${plainMarkdown(name)}${size === "" ? "" : ` (${plainMarkdown(size)})`}`),
    callLine(facts),
    thinks ? ok("Thinking", "yes") : note("Thinking", "this model answers at once"),
  ];
}

/** How much of a conversation the model is given. */
export function contextLines({ chosen, settings, loaded }: SetupFacts): SetupLine[] {
  const wanted = settings.contextLength;
  const own = chosen?.ok === true ? chosen.value.contextLength : undefined;
  const count = (tokens: number): string => `${tokens.toLocaleString("en")} tokens`;
  const used = Math.min(wanted, own ?? wanted);
  const lines = [
    own !== undefined && own < wanted
      ? note("Context", `${count(own)}: the model's own limit (the setting asks for ${count(wanted)})`)
      : ok("Context", `${count(used)}${own === undefined ? "" : ` of the model's ${count(own)}`}`),
  ];
  for (const model of loaded) {
    const length = model.contextLength === undefined ? "" : ` with ${count(model.contextLength)}`;
    const size = model.sizeBytes === undefined ? "" : `, ${sizeText(model.sizeBytes)}`;
    const differs =
      model.name === settings.model && model.contextLength !== undefined && model.contextLength !== used;
    const found = `${plainMarkdown(model.name)}${length}${size}`;
    lines.push(
      differs
        ? note(
            "Loaded",
            found,
            "Another program loaded it; the next question loads it anew with the context above.",
          )
        : ok("Loaded", found),
    );
  }
  return lines;
}

/** What has the server read the calls of a model that writes them as text; nothing for other models. */
export function modelfileLines({ chosen, calls }: SetupFacts): readonly string[] {
  const isText = calls?.ok === true && calls.value === "text";
  const modelfile = isText && chosen?.ok === true ? toolModelfile(chosen.value) : undefined;
  if (modelfile === undefined || chosen?.ok !== true) return [];
  const name = `${chosen.value.name.replace(/:latest$/, "").replace(":", "-")}-tools`;
  return [
    "## Tool calls that the server reads",
    "",
    `Save this as \`Modelfile\`, run \`ollama create ${name} -f Modelfile\`, and choose the new model with **Conclave: Select Model**. It takes no room on the disk.`,
    "",
    "````",
    modelfile.trimEnd(),
    "````",
    "",
  ];
}
