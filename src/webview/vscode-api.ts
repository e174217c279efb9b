import type { HostMessage, PanelMessage } from "../trace/panel-protocol.ts";

/** What VS Code gives a webview, once. */
interface WebviewApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): WebviewApi;

/** The way to the host, typed. */
export interface Channel {
  send(message: PanelMessage): void;
  listen(listener: (message: HostMessage) => void): void;
  /** What was saved before the page was torn down; untrusted. */
  load(): unknown;
  save(state: unknown): void;
}

/** Connects to the host. May be called once. */
export function connect(): Channel {
  const api = acquireVsCodeApi();
  return {
    send: (message) => api.postMessage(message),
    listen: (listener) => {
      window.addEventListener("message", (event: MessageEvent<HostMessage>) => listener(event.data));
    },
    load: () => api.getState(),
    save: (state) => api.setState(state),
  };
}
