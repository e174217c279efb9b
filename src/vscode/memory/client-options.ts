/** How the memory process is told of the settings, which the command line shares. */
export * from "../../cli/settings/client-options.ts";
