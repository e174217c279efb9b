import assert from "node:assert/strict";
import { contradiction } from "../../../../src/agent/reward/contradiction.ts";

/** Heads of questions that say that the answer before was wrong, or not to the point. */
const CONTRADICTS: Readonly<Record<string, readonly string[]>> = {
  English: [
    "No, that's wrong.",
    "no that is wrong, the port is 8080",
    "That's not what I asked.",
    "Wrong!",
    "Hmm, that isn't right. Look again, please.",
    "But that's still incorrect",
    "That’s not true, it was 1998.",
    "You're wrong, it is in the other file.",
    "You didn't answer my question. Where is it?",
    "That didn't work. I get the same error.",
    "I didn't ask for that, I asked for a list.",
    "No, I meant the other one.",
    "Wrong answer. Try again",
    "That is not the answer to my question",
    "Actually, that's wrong.",
    "I don't think that's right.",
    "That can't be right.",
    "It still doesn't work.",
    "wrong, it's 8080",
    "That's wrong, how do I mend it?",
  ],
  German: [
    "Nein, das ist falsch.",
    "Das stimmt nicht, es war 1998.",
    "Das stimmt leider so nicht.",
    "Das ist nicht das, was ich gefragt habe.",
    "Falsch!",
    "Danach habe ich nicht gefragt.",
    "Nein, ich meinte die andere Datei.",
  ],
  French: [
    "Non, c'est faux.",
    "Ce n'est pas ce que j'ai demandé.",
    "Tu te trompes, c'est en 1998.",
    "C’est pas ça.",
  ],
  Spanish: [
    "No es correcto.",
    "No, eso es incorrecto.",
    "Eso no es lo que pregunté.",
    "Te equivocas.",
    "Eso está mal, mira otra vez",
  ],
  Italian: ["No, è sbagliato.", "Non è quello che ho chiesto.", "Ti sbagli, era il 1998."],
  Portuguese: ["Não, isso está errado.", "Isso não é o que perguntei.", "Você está enganado."],
  Dutch: [
    "Nee, dat is fout.",
    "Dat klopt niet.",
    "Dat is niet wat ik vroeg.",
    "Je hebt het mis, het was 1998.",
  ],
  Swedish: ["Nej, det är fel.", "Det stämmer inte."],
  Danish: ["Nej, det er forkert.", "Det er ikke rigtigt."],
  Norwegian: ["Nei, det er feil.", "Det er ikke riktig."],
  Polish: ["Nie, to nieprawda.", "To jest źle.", "Mylisz się."],
  Russian: ["Нет, это неправильно.", "Это не так, было 1998.", "Ты ошибаешься."],
  Turkish: ["Hayır, bu yanlış.", "Bu doğru değil."],
  Japanese: ["違います。", "いいえ、それは間違っています。", "それは正しくありません"],
  Chinese: ["不对，是悉尼。", "这是错的。", "你的回答不正确"],
  Korean: ["아니요, 틀렸어요.", "그건 맞지 않습니다"],
};

/** Heads of questions that only look like that. */
const DOES_NOT: readonly string[] = [
  "No problem. How do I run it?",
  "No, thanks.",
  "No. Next question: what is a mutex?",
  "Not sure what you mean, can you explain?",
  "wrong directory error when I run npm, why?",
  "Wrong number of arguments: how do I mend it?",
  "That's right, thanks!",
  "That's not bad. What about Linux?",
  "That's not right-aligned; how do I align it?",
  "That's wrong directory names in the log, where do they come from?",
  "Is that wrong?",
  "That's not true, is it?",
  "It is not true that cats can fly, or is it?",
  "What if that's wrong?",
  "Why is it wrong to use a global here?",
  '"No, that\'s wrong" in French, please',
  "It doesn't work when I click the button, which log tells why?",
  "This is not correct English, is it? Mend it: he go home",
  "False positives in the test: where do they come from?",
  "Nein danke.",
  "Kein Problem, weiter.",
  "Falsche Ausgabe in Zeile 3, warum?",
  "Das ist nicht schlecht!",
  "Non merci.",
  "Pas de problème, continue.",
  "No hay problema.",
  "Non c'è problema.",
  "Não faz mal, continue.",
  "Geen probleem.",
  "Dat is niet erg.",
  // A word that turns it round.
  "That's not wrong, thank you.",
  "You're not wrong.",
  "Das ist nicht falsch.",
  "C'est pas faux.",
  "Isso não está errado.",
  "Dat is niet fout.",
  "Det är inte fel.",
  // Somebody else says it, or it shows what is wrong.
  "This is wrong, my teacher says. Is she right?",
  "That is wrong, he said. Translate this.",
  "This is wrong: `x = 1`. Mend it.",
  "This doesn't work: `npm run x` ends with E1",
  // A list, a file, a message.
  "wrong, right, good: which are adjectives?",
  "wrong.txt is missing",
  "Wrong answer, how do I show that in my quiz?",
  "Fel lösenord, varför?",
  "To źle działa, co robić?",
  "Неверный пароль, что делать?",
  "ошибка 404, что делать?",
  // Asked, in languages without spaces.
  "違いますか？",
  "間違いはどこですか？",
  "这不对吗？",
  "错误的密码怎么办",
  "不对称加密是什么？",
  "틀렸어요?",
  "",
];

describe("A question that begins by saying that the answer was wrong", () => {
  for (const [language, questions] of Object.entries(CONTRADICTS)) {
    it(`is known in ${language}`, () => {
      for (const question of questions)
        assert.notEqual(contradiction(question, "It was 1999."), undefined, question);
    });
  }

  it("is not seen where a question only looks like it", () => {
    for (const question of DOES_NOT)
      assert.equal(contradiction(question, "It was 1999."), undefined, question);
  });

  it("is told by its phrase alone, not by what follows", () => {
    assert.equal(contradiction("No, that's wrong, my key is hunter2.", ""), "that's wrong");
  });

  it("is none where the answer itself asked what was meant", () => {
    assert.equal(contradiction("No, I meant the other file.", "Do you mean main.ts?"), undefined);
    assert.equal(contradiction("False.", "True or false: a tomato is a vegetable?"), undefined);
  });

  it("is looked for at the head only, however long the question is", () => {
    assert.equal(contradiction(`${"Look at this. ".repeat(40)}That's wrong.`, ""), undefined);
    assert.equal(contradiction("no, ".repeat(200_000), ""), undefined);
    assert.equal(contradiction(`that is ${"very ".repeat(100_000)}`, ""), undefined);
  });
});
