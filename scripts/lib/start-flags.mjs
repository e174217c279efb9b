/** What `npm start -- ...` takes. */
import { parseArgs } from "node:util";

const DEFAULT_PORT = 8123;

/**
 * Reads the flags; throws a sentence for people where one can't be used.
 *
 * @param {string[]} args
 * @returns {{browser: boolean, demo: boolean, port: number}}
 */
export function startFlags(args) {
  const options = {
    browser: { type: /** @type {const} */ ("boolean"), default: false },
    demo: { type: /** @type {const} */ ("boolean"), default: false },
    port: { type: /** @type {const} */ ("string"), default: String(DEFAULT_PORT) },
  };
  const { tokens } = parseArgs({ args, options, strict: false, tokens: true });
  for (const token of tokens) {
    const isKnown = token.kind === "option" && token.name in options;
    if (!isKnown) {
      const said = token.kind === "option" ? token.rawName : (token.value ?? "--");
      throw new Error(`npm start takes --browser, --demo and --port N after a --, and not "${said}".`);
    }
  }
  const { values } = parseArgs({ args, options, strict: false });
  const port = Number(values.port);
  if (!/^\d+$/.test(String(values.port)) || port < 1 || port > 65_535)
    throw new Error("--port takes a number from 1 to 65535.");
  return { browser: values.browser === true, demo: values.demo === true, port };
}
