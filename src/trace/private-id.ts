/** The place of a UUID that says its version; 8 stands for ids of one's own making. */
const VERSION_AT = 14;
const PRIVATE_VERSION = "8";

/**
 * A session id that says of itself that its session is private, made of a UUID. So an id that the editor kept over a
 * reload, when the session itself is gone, is never taken for that of an ordinary session.
 */
export function privateId(uuid: string): string {
  return `${uuid.slice(0, VERSION_AT)}${PRIVATE_VERSION}${uuid.slice(VERSION_AT + 1)}`;
}

/** Whether a session began as a private one; it may have been saved since. */
export function isPrivateId(sessionId: string): boolean {
  return sessionId.length === 36 && sessionId[VERSION_AT] === PRIVATE_VERSION;
}
