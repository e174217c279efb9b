import assert from "node:assert/strict";
import fc from "fast-check";
import { MAX_AGENT_FILE, parseAgentFile } from "../../../../src/agent/agents/agent-file.ts";
import { agent, assertSaid, CLAUDE, OWN, read, said, VSCODE } from "./support.ts";

describe("an agent file as people write it", () => {
  it("with a colon in a value is read as it was meant, and says to quote it", () => {
    const text = "name: Vera\ndescription: Use for boats: hulls, masts\nprompt: p\n";
    assert.equal(agent(text).description, "Use for boats: hulls, masts");
    assertSaid(text, "warning", "Use for boats: hulls, masts", /colon.*Quote the value/);
    for (const value of ["do this:", "Ratio 1: 2 # note", "'tis: so", 'a "b": c', "it's: so"]) {
      const { description } = agent(`name: V\nprompt: p\ndescription: ${value}\nthink: low\n`);
      assert.equal(description, value.replace(/ #.*$/u, ""));
    }
    const crlf = "name: Vera\r\ndescription: a: b\r\nprompt: p\r\n";
    assert.equal(agent(crlf).description, "a: b");
    assertSaid(crlf, "warning", "a: b", /Quote the value/);
  });

  it("with a colon in a list of words is read as it was meant", () => {
    const text = "name: Vera\ntraits:\n  - careful: always\n";
    assert.deepEqual(agent(text).persona?.traits, ["careful: always"]);
    assertSaid(text, "warning", "careful: always", /colon.*Quote the value/);
  });

  it("with other signs that YAML takes for its own is read as it was meant", () => {
    const values = [
      "@vera looks",
      "`code` first",
      "*bold* words",
      "&co",
      "!important now",
      "[x] do it",
      "{name} is",
    ];
    for (const value of [...values, '"Foo" and bar', "%d boats", "> quote", "- a dash", "? what"]) {
      const text = `name: V\nprompt: p\ndescription: ${value}\nmodel: m:1\n`;
      assert.equal(agent(text).description, value, value);
      assertSaid(text, "warning", value, /Quote the value/);
    }
  });

  it("loses nothing behind a # without a word", () => {
    assertSaid(
      "name: V\nprompt: Use # for headings\n",
      "warning",
      "# for headings",
      /comment.*Quote the value/,
    );
    assertSaid("name: V\nprompt: p\ndescription: see issue #5\nmodel: m:1\n", "warning", "#5", /comment/);
    assertSaid("name: V\nprompt: p\njob: C#dev #1\n", "warning", "#1", /comment/);
    const both = said("name: V\nprompt: p\ndescription: boats: see issue #5\n");
    assert.deepEqual(
      both.map(([, place]) => place),
      ["boats: see issue", "#5"],
    );
    for (const text of [
      'name: V\nprompt: "Use # for headings"\n',
      "name: V # the skeptic\nprompt: p\ntools:\n  - web_search # the web\n# end\n",
      "name: V\nprompt: |\n  Use # for headings\n",
      "name: V\nprompt: a#b\n# Said by the way.\n",
    ])
      assert.deepEqual(said(text), [], text);
  });

  it("with tabs is read with spaces in their place, and says where the first one is", () => {
    const text = "name: Vera\nprompt: p\ntools:\n\t- web_search\n\t- web_fetch\n";
    assert.deepEqual(agent(text).tools, [{ name: "web_search" }, { name: "web_fetch" }]);
    const [problem] = read(text).problems;
    assert.deepEqual([problem?.line, problem?.column, problem?.severity], [4, 1, "warning"]);
    assert.match(problem?.message ?? "", /2 tabs.*spaces/);
    assert.deepEqual(agent("name: V\nprompt: p\nlimits:\n\tsteps: 2\n").limits, { steps: 2 });
    assert.equal(agent("name: V\nprompt: |\n\tBe exact.\n\t\tAlways.\n").prompt, "Be exact.\n\tAlways.");
    assert.deepEqual(agent("name: V\nprompt: p\nlimits:\n    steps: 2\n\tseconds: 9\n").limits, {
      steps: 2,
      seconds: 9,
    });
    // Tabs inside a text are its own.
    const code = "name: V\nprompt: |\n  all:\n  \tmake\ntools:\n\t- a\n";
    assert.equal(agent(code).prompt, "all:\n\tmake");
  });

  it("with several faults underlines each at its own place", () => {
    const text =
      "name: V\ndescription: it's: so\nlimits:\n\tsteps: 2\n\tstep: 3\nprompt: p: q\ntemprature: 0\n";
    assert.deepEqual(
      said(text).map(([, place]) => place),
      ["\t", "it's: so", "p: q", "step", "temprature"],
    );
    assert.equal(agent(text).description, "it's: so");
  });

  it("keeps words that YAML may take for something else", () => {
    assert.equal(agent("name: no\nprompt: p\n").name, "no");
    assert.equal(agent("name: 007\nprompt: yes\n").name, "007");
    assert.equal(agent("name: 2024-03-01\nprompt: yes\n").prompt, "yes");
    assert.equal(agent("name: V\nprompt: p\nmodel: 3.10\n").model, "3.10");
    assert.equal(agent("name: V\nprompt: p\nmodel: 1e3\n").model, "1e3");
    for (const text of ["name: no\nprompt: p\n", "name: V\nprompt: p\nmodel: 3.10\n"])
      assert.deepEqual(said(text), []);
    assert.equal(agent("name: V\nprompt: p\nthink: off\n").think, false);
    assert.equal(agent("name: V\nprompt: p\nthink: on\n").think, true);
  });

  it("reads a decimal comma as a point and says so, but guesses no whole numbers", () => {
    const text = "name: V\nprompt: p\ntemperature: 0,7\n";
    assert.equal(agent(text).temperature, 0.7);
    assertSaid(text, "warning", "0,7", /read as 0\.7/);
    assertSaid("name: V\nprompt: p\nlimits:\n  tokens: 10,000\n", "error", "10,000", /whole number/);
  });

  it("with a field twice is not used, and the second one is underlined", () => {
    const text = "name: Vera\ntools: [a]\nprompt: p\ntools: [b]\n";
    assert.equal(read(text).definition, undefined);
    assert.equal(read(text).name, "Vera");
    assertSaid(text, "error", "tools", /`tools` is there twice/);
    assert.equal(read(text).problems[0]?.line, 4);
  });

  it("with nothing in it says so", () => {
    for (const text of ["", "\ufeff", " \n\n", "# only words\n", "---\n", "null\n"]) {
      const [problem] = read(text).problems;
      assert.equal(problem?.severity, "error", JSON.stringify(text));
      assert.match(problem.message, /empty|no fields/);
      assert.equal(read(text).name, "vera");
    }
    assertSaid("just words\n", "error", "just words", /must hold fields/);
    assertSaid("name:Vera\nmodel:x\n", "error", "name:V", /space behind the colon/);
  });

  it("with a byte order mark is read without it", () => {
    assert.equal(agent("\ufeffname: Vera\nprompt: p\n").name, "Vera");
    assertSaid("\ufeffnmae: Vera\nname: V\nprompt: p\n", "warning", "nmae", /Did you mean `name`/);
  });

  it("that can't be mended says where, and what to do", () => {
    assertSaid('name: V\nprompt:\n  "never closed\nmodel: x\n', "error", '"', /never closed/);
    assert.match(said("name: V\nprompt: p\nmodel x\n")[0]![2], /a name, a colon, a space/);
    assert.match(said("name: V\nprompt: p\ntools: [a, b\nmodel: x\n")[0]![2], /\S/);
    assert.match(said("name: V\n---\nname: W\n")[0]![2], /one document/);
    assert.match(said("name: V\nprompt: p\n? [a, b]\n: c\n")[0]![2], /must be a word/);
  });

  it("with unknown fields is used, and says which ones are nearest", () => {
    const text = "name: V\nprompt: p\ntemprature: 0\n";
    assert.equal(agent(text).temperature, undefined);
    assertSaid(text, "warning", "temprature", /not used.*Did you mean `temperature`/);
    assertSaid(
      "name: V\nprompt: p\nstructuredOutput: no\n",
      "warning",
      "structuredOutput",
      /`structured_output`/,
    );
    assertSaid("name: V\nprompt: p\nlimits: { step: 3 }\n", "warning", "step", /`steps`/);
    assertSaid("name: V\nprompt: p\ntools: [{ name: a, desc: b }]\n", "warning", "desc", /`description`/);
    assertSaid("name: V\nprompt: p\n__proto__: x\n", "warning", "__proto__", /no field `__proto__`/);
  });

  it("with a word where a list is wanted is read as a list, and says so", () => {
    const text = "name: V\nprompt: p\ntools: web_search, web_fetch\n";
    assert.deepEqual(agent(text).tools, [{ name: "web_search" }, { name: "web_fetch" }]);
    assertSaid(text, "warning", "web_search, web_fetch", /is a list/);
  });
});

describe("an agent file that means harm", () => {
  it("is refused when references in it unfold without end", () => {
    const names = ["a", "b", "c", "d", "e", "f", "g", "h", "i"];
    const line = (name: string, at: number): string =>
      `${name}: &${name} [${Array(9)
        .fill(at === 0 ? "x" : `*${names[at - 1]!}`)
        .join(",")}]`;
    assert.match(said(names.map(line).join("\n")).at(-1)?.[2] ?? "", /too much/);
    assert.equal(read("a: &a [*a]\nname: V\n").definition, undefined);
  });

  it("is refused in a moment when it is large or deep", () => {
    const texts = [
      "x".repeat(MAX_AGENT_FILE + 1),
      "[".repeat(MAX_AGENT_FILE - 10),
      "- ".repeat(MAX_AGENT_FILE / 2 - 10),
      "{a: ".repeat(12_000),
      Array.from({ length: 7_000 }, (_, at) => `k${at}:`).join("\n"),
      Array.from({ length: 400 }, (_, at) => `${" ".repeat(at)}a:`).join("\n"),
      `name: ${" ".repeat(45_000)}a: b`,
      `name: ${"a: ".repeat(16_000)}`,
      `"${"\\".repeat(45_000)}`,
      "}".repeat(45_000),
      "a: @\n".repeat(9_000),
      "\t".repeat(45_000),
      "*a ".repeat(16_000),
      "- &a !b\n".repeat(5_000),
    ];
    for (const text of texts) {
      const { definition, problems } = read(text);
      assert.equal(definition, undefined, text.slice(0, 12));
      assert.ok(problems.length > 0 && problems.length <= 50);
    }
  });

  it("never throws, and what is said of it lies within the text", () => {
    const piece = fc.constantFrom(
      ...[
        "name: ",
        "tools:",
        "\n",
        "\r\n",
        "\r",
        "\t",
        "  ",
        "- ",
        "a: b",
        "'",
        '"',
        "[",
        "]",
        "{",
        "}",
        "#",
        " |",
        "&a ",
      ],
      ...[
        "*a",
        "!x ",
        "---\n",
        "\ufeff",
        "0,7",
        "temperature: ",
        "properties:",
        "limits:",
        "😀",
        "\u2028",
        "x",
        ": ",
      ],
    );
    const text = fc.oneof(
      fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join("")),
      fc.string({ unit: "binary", maxLength: 200 }),
      fc.json(),
      fc.array(piece, { maxLength: 20 }).map((pieces) => `---\n${pieces.join("")}\n---\nbody`),
    );
    const path = fc.constantFrom(OWN, OWN.replace("yaml", "json"), VSCODE, CLAUDE);
    const lies = (given: string, at: string): void => {
      const lines = given.replace(/^\ufeff/u, "").split(/\r\n|\r|\n/u);
      const { problems, definition } = parseAgentFile(at, given);
      assert.equal(
        definition === undefined,
        problems.some(({ severity }) => severity === "error"),
      );
      for (const { line = 1, column = 1, endColumn = column } of problems) {
        const shown = lines[line - 1];
        assert.ok(shown !== undefined, `line ${line} of ${lines.length}`);
        assert.ok(
          column >= 1 && column <= endColumn && endColumn <= shown.length + 1,
          `${column}-${endColumn} in ${shown}`,
        );
      }
    };
    fc.assert(fc.property(text, path, lies), { numRuns: 2_000 });
  });
});
