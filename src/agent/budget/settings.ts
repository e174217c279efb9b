/** How the context is shared out, in percent of its length. What one part doesn't use goes to the history. */
export interface ContextShares {
  readonly system: number;
  readonly tools: number;
  readonly history: number;
  /** What was recalled and what was attached, together. */
  readonly memory: number;
  /** Kept free for the answer. */
  readonly answer: number;
}

/** How the context is kept from overflowing. */
export interface BudgetSettings {
  readonly shares: Partial<ContextShares>;
  /** Turns that no longer fit are summed up by a model; off: they are left out. */
  readonly summary: boolean;
  /** The model that sums up; empty: the helper model, or the one that answers. */
  readonly summaryModel: string;
  /** From so many tools on only those are offered that fit the question; 0: always all. */
  readonly relevantToolsFrom: number;
}

/** The shares of the product. */
export const DEFAULT_SHARES: ContextShares = {
  system: 25,
  tools: 12.5,
  history: 25,
  memory: 25,
  answer: 12.5,
};

/** The defaults of the product. */
export const DEFAULT_BUDGET: BudgetSettings = {
  shares: DEFAULT_SHARES,
  summary: true,
  summaryModel: "",
  relevantToolsFrom: 24,
};

/** The settings of the context, whole. */
export function budgetSettings({ budget }: { readonly budget?: Partial<BudgetSettings> }): BudgetSettings {
  return { ...DEFAULT_BUDGET, ...budget };
}

/** Shares that can be used: none is negative or no number, and together they are at most the whole. */
export function sharesOf(given: Partial<ContextShares>): ContextShares {
  const of = (part: keyof ContextShares): number => {
    const value = given[part] ?? DEFAULT_SHARES[part];
    return Number.isFinite(value) && value >= 0 ? value : DEFAULT_SHARES[part];
  };
  const shares = {
    system: of("system"),
    tools: of("tools"),
    history: of("history"),
    memory: of("memory"),
    answer: of("answer"),
  };
  const sum = shares.system + shares.tools + shares.history + shares.memory + shares.answer;
  if (sum <= 100) return shares;
  const scale = 100 / sum;
  return {
    system: shares.system * scale,
    tools: shares.tools * scale,
    history: shares.history * scale,
    memory: shares.memory * scale,
    answer: shares.answer * scale,
  };
}
