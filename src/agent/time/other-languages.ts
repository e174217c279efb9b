import type { TimeRule } from "./english.ts";
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
};

function word(pattern: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\d-])${pattern}(?![\\p{L}\\d])`, "giu");
}

function calendar(unit: Unit, shift: number, { day }: Today): DaySpan {
  const { year, month } = calendarDay(day);
  if (unit === "week") return weekOf(day, shift);
  return unit === "month" ? monthSpan(year, month + shift) : yearSpan(year + shift);
}

function rulesOf({ days, named, ago, ahead, units, numbers }: Words): readonly TimeRule[] {
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
  ];
}

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

/** The forms of all languages but English. */
export const OTHER_LANGUAGES: readonly TimeRule[] = [
  ...DIGITS,
  ...[GERMAN, FRENCH, SPANISH].flatMap(rulesOf),
];
