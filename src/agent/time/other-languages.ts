import { dayOfWeek, type TimeRule } from "./english-words.ts";
import { calendarDay, dayNumber } from "./civil.ts";
import { monthSpan, oneDay, shifted, weekOf, yearSpan, type DaySpan, type Today, type Unit } from "./span.ts";

/** How a language says the few time words that are understood of it. Patterns, lower case. */
interface Words {
  /** Days by their distance from today. */
  readonly days: readonly (readonly [pattern: string, distance: number])[];
  /** `last week` and its like: pattern, unit, shift. */
  readonly named: readonly (readonly [pattern: string, unit: Unit, shift: number])[];
  /** With `(N)` for the number and `(U)` for the unit. */
  readonly ago: string;
  readonly ahead: string;
  readonly units: { readonly [word: string]: Unit };
  readonly numbers: { readonly [word: string]: number };
  /** Names of weekdays from Monday. */
  readonly weekdays: readonly string[];
  /** With `(W)` for the weekday; `which` as English says it, nothing for the nearest one. */
  readonly onWeekday: readonly (readonly [pattern: string, which: string | undefined])[];
}

// A word that is also another one ("morgen", "mañana") counts only where nothing before it makes it the other.
const GERMAN: Words = {
  days: [
    ["vorgestern", -2],
    ["gestern", -1],
    ["heute", 0],
    ["übermorgen", 2],
    ["(?<!\\b(?:am|guten|heute|gestern|jeden|diesen|eines) )morgen", 1],
  ],
  named: [
    ["(?:letzte|vorige|vergangene)[nr]? woche", "week", -1],
    ["diese[rn]? woche", "week", 0],
    ["(?:nächste|kommende)[nr]? woche", "week", 1],
    ["(?:letzte|vorige|vergangene)[nrs]? monat", "month", -1],
    ["(?:nächste|kommende)[nrs]? monat", "month", 1],
    ["(?:letzte|voriges|vergangene)[ns]? jahr", "year", -1],
    ["(?:nächste|kommende)[ns]? jahr", "year", 1],
  ],
  ago: "vor (N) (U)",
  ahead: "in (N) (U)",
  units: {
    tag: "day",
    tagen: "day",
    woche: "week",
    wochen: "week",
    monat: "month",
    monaten: "month",
    jahr: "year",
    jahren: "year",
  },
  numbers: {
    einem: 1,
    einer: 1,
    zwei: 2,
    drei: 3,
    vier: 4,
    fünf: 5,
    sechs: 6,
    sieben: 7,
    acht: 8,
    neun: 9,
    zehn: 10,
  },
  weekdays: ["montag", "dienstag", "mittwoch", "donnerstag", "freitag", "(?:samstag|sonnabend)", "sonntag"],
  onWeekday: [
    ["(?:am )?(?:nächsten?|kommenden?) (W)", "coming"],
    ["(?:am )?(?:letzten?|vergangenen?) (W)", "last"],
    ["(?:am )?diesen (W)", "this"],
    ["am (W)", undefined],
  ],
};

const FRENCH: Words = {
  days: [
    ["avant-hier", -2],
    ["(?<!avant-)hier", -1],
    ["aujourd['’]hui", 0],
    ["après-demain", 2],
    ["(?<!après-)demain", 1],
  ],
  named: [
    ["la semaine (?:dernière|passée)", "week", -1],
    ["cette semaine", "week", 0],
    ["la semaine prochaine", "week", 1],
    ["le mois (?:dernier|passé)", "month", -1],
    ["le mois prochain", "month", 1],
    ["l['’]an(?:née)? (?:derni(?:er|ère)|passée?)", "year", -1],
    ["l['’]an(?:née)? prochaine?", "year", 1],
  ],
  ago: "il y a (N) (U)",
  ahead: "dans (N) (U)",
  units: {
    jour: "day",
    jours: "day",
    semaine: "week",
    semaines: "week",
    mois: "month",
    an: "year",
    ans: "year",
  },
  numbers: {
    un: 1,
    une: 1,
    deux: 2,
    trois: 3,
    quatre: 4,
    cinq: 5,
    six: 6,
    sept: 7,
    huit: 8,
    neuf: 9,
    dix: 10,
  },
  weekdays: ["lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche"],
  // "Le lundi" is every Monday.
  onWeekday: [
    ["(W) prochain", "coming"],
    ["(W) (?:dernier|passé)", "last"],
    ["ce (W)", "this"],
    ["(?<!\\b(?:le|les|chaque|tous les) )(W)", undefined],
  ],
};

const SPANISH: Words = {
  days: [
    ["anteayer", -2],
    ["ayer", -1],
    ["hoy", 0],
    ["pasado mañana", 2],
    ["(?<!\\b(?:la|esta|de|una|cada|pasado) )mañana", 1],
  ],
  named: [
    ["la semana pasada", "week", -1],
    ["esta semana", "week", 0],
    ["la (?:próxima semana|semana que viene)", "week", 1],
    ["el mes pasado", "month", -1],
    ["el (?:próximo mes|mes que viene)", "month", 1],
    ["el año pasado", "year", -1],
    ["el (?:próximo año|año que viene)", "year", 1],
  ],
  ago: "hace (N) (U)",
  ahead: "(?:en|dentro de) (N) (U)",
  units: {
    día: "day",
    días: "day",
    semana: "week",
    semanas: "week",
    mes: "month",
    meses: "month",
    año: "year",
    años: "year",
  },
  numbers: {
    un: 1,
    una: 1,
    dos: 2,
    tres: 3,
    cuatro: 4,
    cinco: 5,
    seis: 6,
    siete: 7,
    ocho: 8,
    nueve: 9,
    diez: 10,
  },
  weekdays: ["lunes", "martes", "miércoles", "jueves", "viernes", "sábado", "domingo"],
  onWeekday: [
    ["(?:el )?(?:próximo (W)|(W) (?:próximo|que viene))", "coming"],
    ["(?:el )?(?:pasado (W)|(W) pasado)", "last"],
    ["este (W)", "this"],
    ["el (W)", undefined],
  ],
};

/** Words of languages that put no spaces between them: the day, week, month or year by its distance from today's. */
const UNSPACED: readonly (readonly [pattern: string, unit: Unit, shift: number])[] = [
  ["(?<!大)后天|(?<!大)後天|明後日|あさって", "day", 2],
  ["明天|明日", "day", 1],
  ["今天|今日|今晚|今夜|今晩", "day", 0],
  ["昨天|昨日|昨晚|昨夜|昨晩", "day", -1],
  ["前天|一昨日|おととい", "day", -2],
  ["下(?:个|個)?(?:星期|礼拜|週|周)(?![一二三四五六日天])|来週", "week", 1],
  ["[这這](?:个|個)?(?:星期|礼拜|週|周)(?![一二三四五六日天])|今週", "week", 0],
  ["上(?:个|個)?(?:星期|礼拜|週|周)(?![一二三四五六日天])|先週", "week", -1],
  ["下(?:个|個)月|来月", "month", 1],
  ["上(?:个|個)月|先月", "month", -1],
  ["明年|来年", "year", 1],
  ["去年|昨年", "year", -1],
];

function word(pattern: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\d-])${pattern}(?![\\p{L}\\d])`, "giu");
}

function calendar(unit: Unit, shift: number, { day }: Today): DaySpan {
  const { year, month } = calendarDay(day);
  if (unit === "week") return weekOf(day, shift);
  return unit === "month" ? monthSpan(year, month + shift) : yearSpan(year + shift);
}

function rulesOf({
  days,
  named,
  ago,
  ahead,
  units,
  numbers,
  weekdays,
  onWeekday,
}: Words): readonly TimeRule[] {
  const number = `(\\d{1,3}|${Object.keys(numbers).join("|")})`;
  const unit = `(${Object.keys(units).join("|")})`;
  const counted = (pattern: string, sign: 1 | -1): TimeRule => ({
    form: word(pattern.replace("(N)", number).replace("(U)", unit)),
    span: ([, amount = "", name = ""], { day }) =>
      shifted(
        day,
        units[name.toLowerCase()] ?? "day",
        sign * (numbers[amount.toLowerCase()] ?? Number(amount)),
      ),
  });
  return [
    ...days.map(([pattern, distance]): TimeRule => ({
      form: word(pattern),
      span: (_, { day }) => oneDay(day + distance),
    })),
    ...named.map(([pattern, name, shift]): TimeRule => ({
      form: word(pattern),
      span: (_, today) => calendar(name, shift, today),
    })),
    counted(ago, -1),
    counted(ahead, 1),
    ...onWeekday.flatMap(([pattern, which]) =>
      weekdays.map((name, weekday): TimeRule => ({
        form: word(pattern.replaceAll("(W)", name)),
        span: (_, today, past) => oneDay(dayOfWeek(weekday, which, today, past)),
      })),
    ),
  ];
}

const UNSPACED_RULES: readonly TimeRule[] = UNSPACED.map(([pattern, unit, shift]) => ({
  form: new RegExp(pattern, "gu"),
  span: (_, today) => ({
    ...(unit === "day" ? oneDay(today.day + shift) : calendar(unit, shift, today)),
    unspaced: true,
  }),
}));

/** Dates that are written in digits alone, the same in all languages. `5/3/2026` is left: nobody knows which is which. */
const DIGITS: readonly TimeRule[] = [
  { form: /(?<![\d-])(\d{4})-(\d{2})-(\d{2})(?![\d-])/gu, span: ([, y, m, d]) => written(y, m, d) },
  { form: /(?<![\d.])(\d{1,2})\.(\d{1,2})\.(\d{4})(?!\d)/gu, span: ([, d, m, y]) => written(y, m, d) },
];

function written(year = "", month = "", day = ""): DaySpan | undefined {
  const number = dayNumber(Number(year), Number(month), Number(day));
  const read = calendarDay(number);
  return read.month === Number(month) && read.day === Number(day)
    ? { ...oneDay(number), full: true }
    : undefined;
}

/** The forms of one language, or of some; none of them is in a text that holds none of its telling parts. */
export interface TimeLanguage {
  readonly parts: RegExp;
  readonly rules: readonly TimeRule[];
}

/** The forms of all languages but English. */
export const OTHER_LANGUAGES: readonly TimeLanguage[] = [
  { parts: /\d/u, rules: DIGITS },
  { parts: /gestern|heute|morgen|woche|monat|jahr|tag|mittwoch|sonnabend/iu, rules: rulesOf(GERMAN) },
  {
    parts: /hier|aujourd|demain|semaine|mois|\ban\b|\bans\b|l['’]an|jour|di\b|dimanche/iu,
    rules: rulesOf(FRENCH),
  },
  {
    parts: /ayer|hoy|mañana|semana|mes|año|día|lunes|martes|miércoles|jueves|viernes|sábado|domingo/iu,
    rules: rulesOf(SPANISH),
  },
  { parts: /[天日晚夜晩い週周期月年拜て]/u, rules: UNSPACED_RULES },
];
