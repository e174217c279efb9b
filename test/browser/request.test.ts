import assert from "node:assert/strict";
import type { EventOf } from "../../src/agent/events.ts";
import { MAX_MESSAGE_BYTES } from "../../src/trace/panel-limits.ts";
import { requestTurns } from "../unit/trace/support/request-turns.ts";
import { rawOf } from "../unit/trace/support/look.ts";
import { SteadyIdentity } from "../unit/trace/support/steady-identity.ts";
import { TurnScript } from "../unit/trace/support/turn-script.ts";
import { seriousFindings } from "./support/axe.ts";
import { useFixture } from "./support/fixture.ts";
import type { OpenOptions, PanelPage } from "./support/panel-page.ts";
import { THEMES, type ThemeName } from "./support/themes.ts";

const THEME_NAMES = Object.keys(THEMES) as ThemeName[];

describe("panel: what the model saw", () => {
  const fixture = useFixture();
  let starts: EventOf<"model.start">[] = [];

  async function opened(options: OpenOptions = {}): Promise<PanelPage> {
    starts = [];
    const panel = await fixture.open({
      ...options,
      before: async (bed) => {
        requestTurns((event) => {
          if (event.type === "model.start") starts.push(event);
          bed.log.append(event);
        }, Date.now() - 60_000);
        await bed.log.flush();
      },
    });
    const { page } = panel;
    if ((options.width ?? 1240) < 600) await page.getByRole("button", { name: "Turns", exact: true }).click();
    await page.locator(".rows [role=option]", { hasText: "does it still" }).click();
    await page.locator(".cell-answer .markdown").waitFor();
    return panel;
  }

  /** Opens a model call, and brings it to the top. */
  async function openStep({ page }: PanelPage, step: number): Promise<void> {
    const head = page.locator(".cell-model button.fold").nth(step - 1);
    await head.click();
    await page.locator(".cell-model .messages").waitFor();
    await head.evaluate((element) => element.scrollIntoView({ block: "start" }));
  }

  it("shows each message with its number, its role and the words of where it came from", async () => {
    const panel = await opened();
    await openStep(panel, 2);
    const heads = await panel.page.locator(".message-head").allInnerTexts();
    const lines = heads.map((text) => text.replaceAll(/\s+/g, " "));
    assert.equal(lines.length, 7);
    assert.match(lines[0] ?? "", /^ ?1 system rules project rules trust You are Conclave/);
    assert.match(lines[1] ?? "", /2 user history Which cache/);
    assert.match(lines[3] ?? "", /4 user memory \[Notes from earlier conversations/);
    assert.match(lines[4] ?? "", /5 user attached question others task \+1/);
    assert.match(lines[5] ?? "", /6 assistant model calls web_fetch/);
    assert.match(lines[6] ?? "", /7 tool web_fetch result/);
    const shares = (await panel.page.locator(".request-legend li").allInnerTexts())
      .join(" ")
      .replaceAll(/\s+/g, " ");
    for (const word of ["tools", "rules", "history", "memory", "attached", "question", "others", "persona"])
      assert.match(shares, new RegExp(`${word} [\\d,]+ <?\\d+ %`));
    await panel.picture("request-dark");
  });

  it("opens a message to all of it, piece by piece, each under its word; what is long is fetched", async () => {
    const panel = await opened();
    await openStep(panel, 2);
    const { page } = panel;
    await page.locator(".message-head").nth(4).click();
    const pieces = page.locator(".message").nth(4).locator(".piece");
    await pieces.nth(4).waitFor();
    const asked = starts[2]?.data["conclave.messages"][4]?.content ?? "";
    const texts = await pieces.locator("pre").allTextContents();
    assert.equal(texts.join(""), asked);
    assert.deepEqual(await pieces.locator(".piece-word").allInnerTexts(), [
      ...["attached", "question", "others", "task", "persona"],
    ]);
    await page.locator(".message-head").nth(5).click();
    await page.locator(".message").nth(5).getByText("I should look at the page.").waitFor();
    await page.locator(".message").nth(5).getByText('"web_fetch"').waitFor();
    await page
      .locator(".message-head")
      .nth(4)
      .evaluate((element) => element.scrollIntoView());
    await panel.picture("request-message-dark");
  });

  it("shows the raw request exactly as it was sent, and copies it", async () => {
    const panel = await opened();
    await openStep(panel, 2);
    const { page, bed } = panel;
    await page.getByRole("button", { name: "Raw", exact: true }).click();
    const raw = page.locator("pre.raw");
    await raw.getByText('"model":"qwen3:8b"').waitFor();
    const start = starts[2];
    assert.ok(start !== undefined);
    const text = await rawOf(bed, start, start.id);
    assert.equal(await raw.textContent(), text);
    await panel.picture("request-raw-dark");
    await page.getByRole("button", { name: "Copy raw" }).click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    assert.equal(bed.copied.at(-1), text);
  });

  it("lists the tools as they were sent, and a tool's JSON schema when it is asked for", async () => {
    const panel = await opened();
    await openStep(panel, 1);
    const { page } = panel;
    await page.locator(".sent-tools > button").click();
    await page.locator(".sent-tools summary", { hasText: "web_fetch" }).click();
    await page.locator(".sent-tools pre").getByText('"type": "object"').waitFor();
  });

  it("says in one line how far it begins like the request before, and opens to the difference", async () => {
    const panel = await opened();
    await openStep(panel, 2);
    const { page } = panel;
    const line = page.locator(".prefix > button");
    assert.match(await line.innerText(), /adds 2 to the 5 messages of the request before · \d+ %/);
    await line.click();
    await page.getByText("Nothing of what was sent before was changed.").waitFor();
  });

  it("shows what broke the beginning word by word, and warns when the server read it again", async () => {
    const usage = { inputTokens: 3_000, outputTokens: 20, promptMs: 3_000, generationMs: 700 };
    const filling = "Keep to what was decided. ".repeat(200);
    const prompt = (day: string) => [
      { role: "system" as const, content: `You are brief. It is ${day}. ${filling}` },
      { role: "user" as const, content: "What holds?" },
    ];
    const panel = await fixture.open({
      before: async (bed) => {
        const identity = new SteadyIdentity(Date.now() - 60_000);
        const script = new TurnScript((event) => bed.log.append(event), {
          identity,
          question: "What holds?",
        });
        for (const day of ["Monday", "Tuesday"])
          script.wait(10).ask(prompt(day)).wait(4_000).reply({ content: "It holds.", usage }).stepEnd();
        script.ask(prompt("Tuesday")).wait(4_000).reply({ content: "It holds.", usage }).stepEnd();
        script.answered("It holds.");
        await bed.log.flush();
      },
    });
    const { page } = panel;
    await page.locator(".rows [role=option]", { hasText: "What holds" }).click();
    await openStep(panel, 2);
    const line = page.locator(".prefix > button").first();
    assert.match(await line.innerText(), /differs from the request before in message 1 already · <?\d %/);
    await line.click();
    assert.equal(await page.locator(".words del").innerText(), "Monday");
    assert.equal(await page.locator(".words ins").innerText(), "Tuesday");
    await page.locator(".cell-model button.fold").nth(1).click();
    await openStep(panel, 3);
    await page.locator(".prefix", { hasText: "read again" }).locator("> button").click();
    await page.getByText("as long as for reading again").waitFor();
    await panel.picture("request-read-again");
  });

  it("shows the conversation as it stands after the turn", async () => {
    const panel = await opened();
    const { page } = panel;
    await page.getByRole("button", { name: "Conversation after this turn" }).click();
    await page.getByText("4 messages go before the next question").waitFor();
    const turns = page.locator(".conversation-turn .what");
    await turns.nth(1).waitFor();
    assert.deepEqual(await turns.allInnerTexts(), [
      "Which cache do we use?",
      "What did we decide about the cache, and does it still hold?",
    ]);
    await page.locator(".conversation .message-head").nth(1).click();
    await panel.picture("conversation-dark");
    await page.reload();
    await page.getByText("4 messages go before the next question").waitFor();
  });

  it("posts the prompt only when it is asked for, and never more than the limit at once", async () => {
    const panel = await opened();
    const asked = panel.said.filter(({ type }) => type.startsWith("request"));
    assert.deepEqual(asked, []);
    await openStep(panel, 2);
    assert.ok(panel.largestPost <= MAX_MESSAGE_BYTES);
  });

  it("is readable in every theme and at 420 px, and axe finds nothing serious", async () => {
    const panel = await opened();
    await openStep(panel, 2);
    const { page } = panel;
    await page.locator(".prefix > button").click();
    await page.locator(".sent-tools > button").click();
    await page.locator(".message-head").nth(3).click();
    await page.locator(".message-body").first().waitFor();
    for (const theme of THEME_NAMES) {
      await panel.setTheme(theme);
      await panel.picture(`request-${theme}`);
      assert.deepEqual(await seriousFindings(panel), [], theme);
    }
    const narrow = await opened({ width: 420 });
    await openStep(narrow, 2);
    await narrow.page.locator(".message-head").nth(3).click();
    await narrow.picture("request-narrow");
    const wide = await narrow.evaluate<number>("document.documentElement.scrollWidth");
    assert.ok(wide <= 420, `${wide} px`);
    await narrow.page.getByRole("button", { name: "Conversation after this turn" }).click();
    await narrow.page.locator(".conversation-turn").first().waitFor();
    await narrow.picture("conversation-narrow");
    assert.deepEqual(await seriousFindings(narrow), []);
    assert.deepEqual(panel.complaints, []);
  });
});
