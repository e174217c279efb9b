import { render } from "preact";
import { App } from "./app.tsx";
import { Store } from "./store.ts";
import { connect } from "./vscode-api.ts";

const root = document.getElementById("app");
if (root !== null) {
  const store = new Store(connect());
  render(<App store={store} />, root);
  store.start();
}
