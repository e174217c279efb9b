import assert from "node:assert/strict";
import { extractMainText } from "../../../src/tools/web/main-text.ts";

const ARTICLE = `<p>The pier reopens on 3 May. The harbour master said on Tuesday that two winters of work on its piles were over.
Ferries to the islands will leave from it again, and the kiosk opens at Easter, for those who can't wait for the summer.</p>`;
const POLICY =
  "We and our 842 partners store and access information on a device, such as cookies, and process personal data for personalised ads. ".repeat(
    60,
  );
const BUTTONS = "<button>Accept all</button><button>Manage options</button>";

function read(body: string, title = "Pier to reopen") {
  const html = `<!doctype html><html><head><title>${title}</title></head><body>${body}</body></html>`;
  return extractMainText(html, "https://harbour.example/news/1");
}

describe("a request for consent", () => {
  it("is left out whichever product makes it and wherever it stands, and the article is read", () => {
    const dialogs = {
      OneTrust: `<div id="onetrust-consent-sdk"><div id="onetrust-banner-sdk" role="alertdialog"><p>${POLICY}</p>${BUTTONS}</div></div>`,
      Didomi: `<div id="didomi-host"><div class="didomi-popup-notice"><p>${POLICY}</p>${BUTTONS}</div></div>`,
      Sourcepoint: `<div id="sp_message_container_123"><iframe src="https://cmp.example"></iframe></div>`,
      Usercentrics: `<div id="usercentrics-root"><p>${POLICY}</p>${BUTTONS}</div>`,
      "by its role": `<div role="dialog" aria-modal="true"><p>${POLICY}</p>${BUTTONS}</div>`,
      "without any name": `<div class="x1y2"><div><h2>We value your privacy</h2><p>${POLICY}</p></div><div>${BUTTONS}</div></div>`,
    };
    for (const [name, dialog] of Object.entries(dialogs)) {
      for (const page of [
        `${dialog}<main>${ARTICLE}</main>`,
        `<main>${ARTICLE}</main>${dialog}`,
        `<main>${dialog}${ARTICLE}</main>`,
        `${dialog}<div class="z9">${ARTICLE}</div>`,
      ]) {
        const { text, problem } = read(page);
        assert.equal(problem, undefined, name);
        assert.match(text, /reopens on 3 May/, name);
        assert.doesNotMatch(text, /partners|privacy/, name);
      }
    }
  });

  it("is named when nothing else was served, in the languages of its readers", () => {
    const walls = [
      `<p>${POLICY}</p><a href="/ok">I agree</a>`,
      `<p>${"Nos partenaires et nous utilisons des cookies pour accéder à des données personnelles. ".repeat(30)}</p><button>Tout accepter</button>`,
      `<p>${"Wir und unsere Partner speichern Cookies und verarbeiten personenbezogene Daten mit Ihrer Einwilligung. ".repeat(20)}</p><button>Akzeptieren und weiter</button>`,
      `<p>${"Noi e i nostri partner usiamo cookie e trattiamo dati personali con il tuo consenso. ".repeat(20)}</p><button>Accetta e continua</button>`,
      `<p>${"Wij en onze partners plaatsen cookies en verwerken persoonsgegevens met jouw toestemming. ".repeat(20)}</p><button>Akkoord</button>`,
      `<p>${"Nosotros y nuestros socios usamos cookies y datos personales con su consentimiento. ".repeat(20)}</p><button>Aceptar y continuar</button>`,
      "<p>This website uses cookies to give you the best experience.</p><button>OK</button>",
    ];
    for (const wall of walls) {
      const { problem, text } = read(`<div class="page">${wall}</div>`);
      assert.match(problem ?? text.slice(0, 80), /^Consent wall, article not served/);
      assert.equal(text, "");
    }
  });

  it("is not seen in a text about cookies that are baked, nor in prose about the law", () => {
    const baked = "<main><p>Our cookies are baked each morning. Ask for the one with ginger.</p></main>";
    const law = `<main><p>A court ruled that a site that uses cookies needs consent, and that partners are third parties.</p>${ARTICLE}<p>Do you agree?</p></main>`;
    for (const page of [baked, law]) assert.equal(read(page).problem, undefined);
  });
});

describe("a page that is not the page", () => {
  it("is named as a test of humanity, by its title, its words or its product", () => {
    const tests: readonly (readonly [title: string, body: string])[] = [
      ["Just a moment...", "<div>Please wait</div>"],
      ["Making sure you're not a bot!", "<p>Loading...</p>"],
      ["Access to this page has been denied", "<p>We believe you are using automation tools.</p>"],
      ["Vercel Security Checkpoint", "<p>We're verifying your browser</p>"],
      ["Pardon Our Interruption", "<p>Something about your browser made us think you were a bot.</p>"],
      ["", "<p>Please enable JS and disable any ad blocker</p>"],
      ["", `<iframe src="/_Incapsula_Resource?x=1">Request unsuccessful.</iframe>`],
      ["", `<script src="https://geo.captcha-delivery.com/captcha.js"></script>`],
    ];
    for (const [title, body] of tests)
      assert.match(read(body, title).problem ?? "", /challenge page\), page not served/, title + body);
  });

  it("is not taken for one when a site that is guarded serves its article", () => {
    const guard = `<script src="/cdn-cgi/challenge-platform/scripts/jsd/main.js"></script>`;
    const { problem, text } = read(`${guard}<main>${ARTICLE}</main>`);
    assert.equal(problem, undefined);
    assert.match(text, /reopens on 3 May/);
  });

  it("is named as a log-in, but not for a log-in field beside an article", () => {
    const field = `<form><input name="user"><input type="password"><button>Sign in</button></form>`;
    const pages = [
      read(`<h1>Sign in to continue</h1>${field}<a href="/lost">Forgot password?</a>`, "Sign in"),
      read(`<p>You must be logged in to view this page.</p>`, "Harbour"),
      read(`<h1>Anmeldung</h1>${field}`, "Anmelden – Hafen"),
    ];
    for (const { problem } of pages) assert.equal(problem, "The site asks for a log-in, page not served.");
    assert.equal(read(`<header>${field}</header><main>${ARTICLE}</main>`).problem, undefined);
  });

  it("is read as far as it goes when the rest is for those who pay, and that is said", () => {
    const note = ["The page is for subscribers; this may be only its beginning."];
    const walled = read(`<article>${ARTICLE}<div><h3>Subscribe to continue reading</h3></div></article>`);
    const stated = read(
      `<script type="application/ld+json">{"@type":"NewsArticle","isAccessibleForFree":"False"}</script><article>${ARTICLE}</article>`,
    );
    for (const { text, notes } of [walled, stated]) {
      assert.match(text, /reopens on 3 May/);
      assert.deepEqual(notes, note);
    }
    assert.deepEqual(read(`<article>${ARTICLE}</article>`).notes, []);
  });
});
