import { failed, success, type Result } from "../../../agent/failure.ts";

const PATH = "/v1/traces";

/**
 * The address that traces are sent to, of the one that the user wrote: http or https, with the path of OTLP behind it
 * unless it stands there already. Anything else is a failure that says what is wrong.
 */
export function tracesAddress(written: string): Result<URL> {
  const text = written.trim();
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== "http:" && url.protocol !== "https:") || url.hostname === "")
    return failed(
      "bad_input",
      `Traces can't be sent to "${text.slice(0, 200)}": it is no http or https address.`,
    );
  if (url.username !== "" || url.password !== "")
    return failed("bad_input", "Traces can't be sent to an address with a name or a password in it.");
  url.hash = "";
  url.search = "";
  const path = url.pathname.replace(/\/+$/, "");
  url.pathname = path.endsWith(PATH) ? path : `${path}${PATH}`;
  return success(url);
}
