/** The checks of the settings, which the command line shares. */
export * from "../cli/settings/schema.ts";
