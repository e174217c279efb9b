import assert from "node:assert/strict";
import { join } from "node:path";
import { shippedParts } from "../../../src/cli/places.ts";
import { runCli } from "../../../src/cli/run-cli.ts";
import * as ollama from "../../support/ollama/index.ts";
import { cleanUp, folderWith, never } from "./support.ts";

describe("What conclave can't use", () => {
  let server: ollama.ScriptedOllama;
  before(async () => {
    server = await ollama.startScriptedOllama({ models: [{ name: "scripted:latest" }] });
  });
  after(() => server.close());
  afterEach(cleanUp);

  const BAD: readonly (readonly [args: readonly string[], said: RegExp])[] = [
    [[], /^No command was given\. conclave --help lists all\.\n$/u],
    [["aks"], /^There is no command "aks"\. Do you mean ask\?\n$/u],
    [["ask"], /^There is no question\./u],
    [["ask", "  "], /^There is no question\./u],
    [["ask", "What?"], /^No model is chosen\./u],
    [["ask", "one", "two", "-m", "x"], /^There is one question at a time/u],
    [["ask", "What?", "--modle", "x"], /^There is no option --modle; do you mean --model\?\n$/u],
    [["ask", "What?", "--model"], /^Option '-m, --model <value>' argument missing\.\n$/u],
    [["ask", "What?", "-m", "x", "--committee", "bilnd"], /^--committee takes blind/u],
    [["ask", "What?", "-m", "x", "--session", "../../x"], /^--session takes the id of a session/u],
    [
      ["ask", "What?", "-m", "x", "--session", "0b7e5c1e-8f0a-4b8e-9d4f-3f1d2c4b5a69"],
      /^There is no session 0b7e5c1e-8f0a-4b8e-9d4f-3f1d2c4b5a69 in /u,
    ],
    [
      ["ask", "What?", "-m", "x", "--set", "maxSteps=99"],
      /^conclave\.maxSteps must be a whole number from 1 to 50\.\n$/u,
    ],
    [
      ["ask", "What?", "-m", "x", "--set", "maxStep=3"],
      /^There is no setting conclave\.maxStep; do you mean/u,
    ],
    [["ask", "What?", "-m", "x", "--settings", "no.json"], /no\.json can't be read/u],
    [["ask", "What?", "-m", "x", "--host", "http://"], /./u],
    [["eval"], /^There are no cases/u],
    [["eval", "nowhere"], /^There is nothing at nowhere\. Name a case file/u],
    [
      ["eval", "--repeat", "0", "good.yaml"],
      /^--repeat must be a whole number from 1 to 1000, and is "0"\.\n$/u,
    ],
    [["eval", "--config", "sinlge", "good.yaml"], /^--config sinlge names no configuration/u],
    [["eval", "--format", "pdf", "good.yaml"], /^--format takes md, json, junit, and not "pdf"\.\n$/u],
    [["eval", "good.yaml"], /^Say which model answers: --live MODEL\.\n$/u],
    [["eval", "good.yaml", "--live", "nobody"], /^The model nobody is not installed at http/u],
    [
      ["eval", "bad.yaml"],
      /^bad\.yaml:3:1: error: There is no field `expcet` here; do you mean `expect`\?\n$/u,
    ],
    [["eval", "good.yaml", "--tag", "x"], /^No case has the tag x\.\n$/u],
    [["eval", "--judge"], /^Say which labelled set/u],
    [
      ["eval", "--judge-set", ".", "--judge-model", "scripted"],
      /^\.:1:1: error: This is a folder\. Name the file with the items\.\n$/u,
    ],
    [
      ["eval", "only.yaml", "--config", "single,ring"],
      /^No case is meant for single, ring: each names its own/u,
    ],
    [["eval", "good.yaml", "--config", "single+memory-memory"], /^--config single\+memory-memory names no/u],
    [
      ["eval", "good.yaml", "--live", "scripted:latest", "--report", "good.yaml"],
      /^The report can't be written into .*good\.yaml: /u,
    ],
  ];

  for (const [args, said] of BAD)
    it(`is one clear sentence, and ends with 2: ${args.join(" ") || "nothing"}`, async () => {
      const folder = await folderWith({
        "good.yaml": "name: x\nquestion: y\n",
        "only.yaml": "name: x\nquestion: y\nconfigurations: [as-written]\n",
        "bad.yaml": "name: x\nquestion: y\nexpcet: {}\n",
      });
      const written = { out: "", err: "" };
      const terminal = {
        out: (text: string) => void (written.out += text),
        err: (text: string) => void (written.err += text),
        env: { OLLAMA_HOST: server.host, CONCLAVE_DATA: join(folder, "data") },
        cwd: folder,
        input: () => Promise.resolve(""),
      };
      const code = await runCli(args, terminal, shippedParts(folder, "9.9.9"), never);
      assert.equal(written.out, "");
      assert.match(written.err, said);
      assert.equal(written.err.trim().split("\n").length, 1, written.err);
      assert.equal(code, 2);
    });
});
