export { ARGUMENTS_NOT_AN_OBJECT } from "./validate.ts";
export { startDemo } from "./demo-server.ts";
export { downloadSteps } from "./endpoints.ts";
export * from "./replies.ts";
export { startScriptedOllama } from "./server.ts";
export type * from "./types.ts";
