/**
 * Hands and eyes for tests that run inside the extension host: a loopback server through which they use the window as
 * a person would (type, press, click, look), and report what passed.
 */
import { createServer } from "node:http";
import { join } from "node:path";
import { say } from "../../scripts/lib/shell.mjs";

const MARKS = { passed: "✓", failed: "✗", skipped: "-" };

/** The first match of a selector (and a text) in any frame, looked for until it is there and visible. */
async function find(page, { selector, text, timeout = 30_000 }) {
  const deadline = Date.now() + timeout;
  while (Date.now() < deadline) {
    for (const frame of page.frames()) {
      const all = frame.locator(selector);
      const match = (text === undefined ? all : all.filter({ hasText: text })).first();
      if (await match.isVisible().catch(() => false)) return { frame, match };
    }
    await page.waitForTimeout(50);
  }
  throw new Error(
    `nothing fits ${selector}${text === undefined ? "" : ` with "${text}"`} within ${timeout} ms`,
  );
}

/** Whether the browser's VS Code has written something with this text to its storage; runs in the page. */
async function isSaved(text) {
  const settled = (request) =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  for (const { name } of await globalThis.indexedDB.databases()) {
    if (!name.startsWith("vscode-web-state-db")) continue;
    const database = await settled(globalThis.indexedDB.open(name));
    const values = await settled(database.transaction("ItemTable").objectStore("ItemTable").getAll());
    database.close();
    if (values.some((value) => String(value).includes(text))) return true;
  }
  return false;
}

/** What the editor gives a page by name, such as its colours; runs in the page. */
function givenVariables() {
  const { style } = globalThis.document.documentElement;
  const given = [...style].filter((name) => name.startsWith("--vscode-"));
  return Object.fromEntries(
    given.map((name) => [name.slice("--vscode-".length), style.getPropertyValue(name)]),
  );
}

/** How long a panel may stay empty. */
const FIRST_LIMIT_MS = 120_000;

/** What a test may ask for; each gets the page and the request's JSON. */
const ACTIONS = {
  screenshot: async (page, { name, folder }) => {
    await page.screenshot({ path: join(folder, `${name}.png`) });
    return {};
  },
  press: async (page, { keys }) => {
    await page.keyboard.press(keys);
    return {};
  },
  type: async (page, { text }) => {
    await page.keyboard.type(text, { delay: 5 });
    return {};
  },
  click: async (page, wanted) => {
    const { match } = await find(page, wanted);
    await match.click({ timeout: wanted.timeout });
    return {};
  },
  pressIn: async (page, { keys, ...wanted }) => {
    const { match } = await find(page, wanted);
    await match.press(keys);
    return {};
  },
  fill: async (page, { content, ...wanted }) => {
    const { match } = await find(page, wanted);
    await match.fill(content, { timeout: wanted.timeout });
    return {};
  },
  texts: async (page, wanted) => {
    const { frame } = await find(page, wanted);
    return { texts: await frame.locator(wanted.selector).allInnerTexts() };
  },
  waitForText: async (page, wanted) => {
    await find(page, wanted);
    return {};
  },
  value: async (page, wanted) => {
    const { match } = await find(page, wanted);
    return { value: await match.inputValue() };
  },
  variables: async (page, wanted) => {
    const { frame } = await find(page, wanted);
    return { variables: await frame.evaluate(givenVariables) };
  },
  saved: async (page, { text }) => {
    // VS Code saves every five seconds: in a browser there is no time for it while a window closes.
    const deadline = Date.now() + 30_000;
    while (Date.now() < deadline) {
      if (await page.evaluate(isSaved, text)) return {};
      await page.waitForTimeout(100);
    }
    throw new Error(`VS Code did not save "${text}" within 30 s`);
  },
  waitGone: async (page, { selector, text, timeout = 30_000 }) => {
    const deadline = Date.now() + timeout;
    while (Date.now() < deadline) {
      const there = await find(page, { selector, text, timeout: 1 }).then(
        () => true,
        () => false,
      );
      if (!there) return {};
      await page.waitForTimeout(50);
    }
    throw new Error(`${selector}${text === undefined ? "" : ` with "${text}"`} is still there`);
  },
  count: async (page, { selector }) => {
    const counts = await Promise.all(
      page.frames().map((frame) =>
        frame
          .locator(selector)
          .count()
          .catch(() => 0),
      ),
    );
    return { count: counts.reduce((sum, count) => sum + count, 0) };
  },
  strand: async (page) => {
    const { frame } = await find(page, { selector: "#app > *" });
    // What VS Code put around our page goes as well, as when their process dies: nobody is left to take another page.
    const outer = frame.parentFrame() ?? frame;
    await outer.goto("about:blank");
    return {};
  },
  first: async (page) => {
    const deadline = Date.now() + FIRST_LIMIT_MS;
    while (Date.now() < deadline) {
      for (const frame of page.frames()) {
        const first = await frame.evaluate("window.__first").catch(() => undefined);
        if (first === undefined) continue;
        // The frame stays for a moment after its panel is closed.
        await frame.evaluate("delete window.__first").catch(() => undefined);
        return { first };
      }
      await page.waitForTimeout(50);
    }
    throw new Error(`no panel drew anything within ${FIRST_LIMIT_MS} ms`);
  },
  resize: async (page, { width, height }) => {
    await page.setViewportSize({ width, height });
    return {};
  },
};

async function readJson(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString("utf8") || "{}");
}

/** How long a window waits for what another one is to say. */
const HEAR_LIMIT_MS = 90_000;

/** Where windows that are open at once leave word for each other, so that their tests go step by step. */
function createBoard() {
  const notes = new Map();
  const note = (name) => {
    if (!notes.has(name)) {
      const made = {};
      made.promise = new Promise((resolve) => Object.assign(made, { resolve }));
      notes.set(name, made);
    }
    return notes.get(name);
  };
  return {
    say: ({ name, value }) => {
      Object.assign(note(name), { value }).resolve(value);
      return {};
    },
    /** What was said by now; undefined where nobody did. */
    said: (name) => notes.get(name)?.value,
    hear: async ({ name }) => {
      let timer;
      const limit = new Promise((_resolve, reject) => {
        timer = setTimeout(() => reject(new Error(`nobody said "${name}"`)), HEAR_LIMIT_MS);
      });
      try {
        return { value: await Promise.race([note(name).promise, limit]) };
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

/** Starts the driver; screenshots go to `folder`. */
export async function startDriver(folder) {
  const counts = { passed: 0, failed: 0, skipped: 0, failures: [] };
  const figures = {};
  const windows = new Map();
  const board = createBoard();
  const report = ({ state, title, error }) => {
    counts[state] += 1;
    if (state === "failed") counts.failures.push({ title, error: error ?? "" });
    say(`  ${MARKS[state]} ${title}`);
    if (error) say(error.replace(/^/gm, "      "));
  };
  const answer = async (request) => {
    const action = request.url.slice(1);
    const { window = "", ...body } = await readJson(request);
    if (action === "report") {
      report(body);
      return {};
    }
    if (action === "measured") {
      figures[body.name] = body.figure;
      return {};
    }
    if (action === "say") return board.say(body);
    if (action === "hear") return board.hear(body);
    const { page, leave } = windows.get(window);
    if (action === "leave") {
      leave?.();
      return {};
    }
    return ACTIONS[action](page, { folder, ...body });
  };
  const server = createServer((request, response) => {
    answer(request).then(
      (result) => response.end(JSON.stringify(result)),
      (error) => {
        response.statusCode = 500;
        response.end(JSON.stringify({ error: error.message }));
      },
    );
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${server.address().port}`,
    counts,
    /** What was measured, by name. */
    figures,
    report,
    /** What the windows have said to each other. */
    board,
    /**
     * The page to drive, and what to do when a suite is through that wants its window left as a user leaves it. Two
     * windows that are open at once have names.
     */
    attach: (page, leave, name = "") => void windows.set(name, { page, leave }),
    stop: () => new Promise((resolve) => server.close(resolve)),
  };
}
