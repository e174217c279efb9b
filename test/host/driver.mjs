/**
 * Hands and eyes for tests that run inside the extension host: a loopback server through which they use the window as
 * a person would (type, press, click, look), and report what passed.
 */
import { createServer } from "node:http";
import { join } from "node:path";
import { say } from "../../scripts/lib/shell.mjs";

const MARKS = { passed: "✓", failed: "✗", skipped: "-" };

/** The frame of a webview by a selector that it contains, looked for until it is there. */
async function webviewFrame(page, selector, timeout) {
  const deadline = Date.now() + timeout;
  while (Date.now() < deadline) {
    for (const frame of page.frames()) {
      if (
        (await frame
          .locator(selector)
          .count()
          .catch(() => 0)) > 0
      )
        return frame;
    }
    await page.waitForTimeout(50);
  }
  throw new Error(`no frame contains ${selector} within ${timeout} ms`);
}

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
  click: async (page, { selector, timeout = 15_000 }) => {
    const frame = await webviewFrame(page, selector, timeout);
    await frame.locator(selector).first().click({ timeout });
    return {};
  },
  fill: async (page, { selector, text, timeout = 15_000 }) => {
    const frame = await webviewFrame(page, selector, timeout);
    await frame.locator(selector).first().fill(text, { timeout });
    return {};
  },
  text: async (page, { selector, timeout = 15_000 }) => {
    const frame = await webviewFrame(page, selector, timeout);
    return { texts: await frame.locator(selector).allInnerTexts() };
  },
  waitForText: async (page, { selector, text, timeout = 30_000 }) => {
    const frame = await webviewFrame(page, selector, timeout);
    await frame.locator(selector).filter({ hasText: text }).first().waitFor({ timeout });
    return {};
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

/** Starts the driver; screenshots go to `folder`. */
export async function startDriver(folder) {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  let page;
  const report = ({ state, title, error }) => {
    counts[state] += 1;
    say(`  ${MARKS[state]} ${title}`);
    if (error) say(error.replace(/^/gm, "      "));
  };
  const answer = async (request) => {
    const action = request.url.slice(1);
    const body = await readJson(request);
    if (action === "report") {
      report(body);
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
    report,
    attach: (next) => {
      page = next;
    },
    stop: () => new Promise((resolve) => server.close(resolve)),
  };
}
