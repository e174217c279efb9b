import type { Json, JsonObject } from "../../models/types.ts";
import { oncePer } from "../../once-per.ts";
import type { ToolSet } from "../../tool.ts";
import { isJsonList, isJsonObject } from "../../json.ts";

/** What recovery knows of a tool that was offered. */
export interface OfferedTool {
  readonly name: string;
  readonly readOnly: boolean;
  /** Schemas of the arguments by name. */
  readonly properties: { readonly [name: string]: Json };
  readonly required: readonly string[];
  /** Whether the arguments pass the tool's own check as they are. */
  accepts(args: Json): boolean;
}

/** The tools a text may call. */
export interface Catalogue {
  /** Names as advertised. */
  readonly names: readonly string[];
  readonly tools: readonly OfferedTool[];
  /** Finds a tool by name, alias, or a name with a known decoration such as `functions.`. */
  find(name: string): OfferedTool | undefined;
  /** The name as the loop will find it: decorations are taken off when what remains is an offered tool. */
  plainName(name: string): string;
  /** Whether some tool has an argument of this name. */
  hasProperty(name: string): boolean;
}

/** What models put around a tool's name: a namespace before it, a number or a token behind it. */
const DECORATION = /^(?:functions?|tools?|default_api|multi_tool_use)[.:/]|(?::\d+|\.call|<[|｜].*)$/g;

/** The catalogue of a turn's tools; made once for all its steps. */
export const catalogueOf = oncePer((tools: ToolSet): Catalogue => {
  const offered = tools.schemas.map((schema) => {
    const tool = tools.find(schema.name);
    const properties = schema.parameters["properties"];
    return {
      name: schema.name,
      readOnly: tool?.readOnly ?? false,
      properties: isJsonObject(properties) ? properties : {},
      required: requiredOf(schema.parameters),
      accepts: (args: Json) => {
        try {
          return tool?.parameters.safeParse(args).success ?? false;
        } catch {
          return false;
        }
      },
    };
  });
  return build(offered, (name) => tools.find(name)?.name);
});

function requiredOf(schema: JsonObject): readonly string[] {
  const required = schema["required"];
  return isJsonList(required) ? required.filter((name) => typeof name === "string") : [];
}

function build(tools: readonly OfferedTool[], realName: (name: string) => string | undefined): Catalogue {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const properties = new Set(tools.flatMap((tool) => Object.keys(tool.properties)));
  const exact = (name: string): OfferedTool | undefined =>
    byName.get(name) ?? byName.get(realName(name) ?? "");
  const plainName = (name: string): string => {
    if (exact(name)) return name;
    const bare = name.trim().replace(DECORATION, "");
    return exact(bare) ? bare : name.trim();
  };
  return {
    names: [...byName.keys()],
    tools,
    find: (name) => exact(plainName(name)),
    plainName,
    hasProperty: (name) => properties.has(name),
  };
}
