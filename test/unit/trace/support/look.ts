import type { PanelBed } from "./panel-bed.ts";
import type { HostMessage } from "../../../../src/trace/panel-protocol.ts";
import type { MessageHead, RequestView } from "../../../../src/trace/request/types.ts";

interface TurnRef {
  readonly sessionId: string;
  readonly turnId: string;
}

type Answer = Extract<HostMessage, { readonly type: "request" }>;

let number = 0;

/** Asks a panel's host for a page of a request's messages. */
export async function page(bed: PanelBed, turn: TurnRef, eventId: string, from = 0): Promise<Answer> {
  number += 1;
  const request = number;
  const { sessionId, turnId } = turn;
  await bed.host.receive({ type: "request", request, sessionId, turnId, eventId, from });
  const answer = bed.posted("request").find((one) => one.request === request);
  if (answer === undefined) throw new Error("the request was not answered");
  return answer;
}

/** All of a request, as the panel is told of it. */
export async function look(
  bed: PanelBed,
  turn: TurnRef,
  eventId: string,
): Promise<{ readonly view: RequestView; readonly heads: readonly MessageHead[] }> {
  const heads: MessageHead[] = [];
  let from: number | null = 0;
  let view: RequestView | undefined;
  while (from !== null) {
    const answer: Answer = await page(bed, turn, eventId, from);
    heads.push(...answer.heads);
    view ??= answer.view;
    from = answer.next;
  }
  if (view === undefined) throw new Error("there is no such request");
  return { view, heads };
}

/** The body of a request, put together from its parts. */
export async function rawOf(bed: PanelBed, { sessionId, turnId }: TurnRef, eventId: string): Promise<string> {
  let text = "";
  let offset: number | null = 0;
  while (offset !== null) {
    number += 1;
    const request = number;
    await bed.host.receive({ type: "request.raw", request, sessionId, turnId, eventId, offset });
    const part = bed.posted("request.raw").find((one) => one.request === request);
    if (part === undefined) throw new Error("the part was not posted");
    text += part.text;
    offset = part.next;
  }
  return text;
}
