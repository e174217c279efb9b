import { z } from "zod";
import type { Json } from "../agent/models/types.ts";

/*
 * What the panel and its host say to each other of settings. The host describes them, the panel draws fields for them,
 * and what is changed there is written by VS Code's own way. Keys and passwords are no settings: they never come here.
 */

/** Where a setting can be written from the panel. */
export const SETTING_SCOPES = ["user", "workspace"] as const;

/** Where a setting can be written from the panel. */
export type SettingPlace = (typeof SETTING_SCOPES)[number];

/** Longest value that the panel edits, as JSON in UTF-16 units; longer ones are for the settings editor. */
export const MAX_SETTING = 4_000;

const id = z.string().min(1).max(200);
const scope = z.enum(SETTING_SCOPES);
const json = z.json();
const value = z.custom<Json>(
  (given) => json.safeParse(given).success && JSON.stringify(given).length <= 2 * MAX_SETTING,
);

/** The panel's messages about settings. */
export const settingMessages = [
  /** Settings that belong together are shown, and kept up to date; null: none are any more. */
  z.strictObject({ type: z.literal("settings"), group: z.string().min(1).max(200).nullable() }),
  z.strictObject({ type: z.literal("setting.write"), id, scope, value }),
  /** What is written there goes: what stands behind it counts again. */
  z.strictObject({ type: z.literal("setting.reset"), id, scope }),
  /** VS Code's own settings editor opens at it. */
  z.strictObject({ type: z.literal("setting.open"), id, scope }),
  /** One of its buttons was pressed, by its place among them. */
  z.strictObject({ type: z.literal("setting.command"), id, index: z.number().int().nonnegative().max(20) }),
] as const;

/** A value that can be chosen. */
export interface SettingOption {
  readonly value: string;
  readonly description: string;
}

/** What a setting takes, and so how it is drawn. */
export type SettingKind =
  | { readonly type: "boolean" }
  | {
      readonly type: "number";
      readonly integer: boolean;
      readonly min?: number;
      readonly max?: number;
      /** It may have no value of its own: null. */
      readonly nullable: boolean;
    }
  | { readonly type: "choice"; readonly options: readonly SettingOption[] }
  | { readonly type: "text"; readonly multiline: boolean }
  /** Texts, one a line; with `options` only these. */
  | { readonly type: "list"; readonly options?: readonly string[] }
  /** Anything else, edited as JSON. */
  | { readonly type: "json" };

/** A setting as the panel draws it. */
export interface SettingView {
  /** Its full name, such as `conclave.maxSteps`. */
  readonly id: string;
  /** What stands before its name in VS Code's settings editor, such as `Memory › Retrieval`; may be empty. */
  readonly category: string;
  /** Its name in VS Code's settings editor. */
  readonly label: string;
  /** Without markdown. */
  readonly description: string;
  readonly kind: SettingKind;
  readonly default: Json;
  /** The value in force. */
  readonly value: Json;
  /** Where the value in force comes from. */
  readonly from: "default" | SettingPlace | "folder";
  /** What is written where; what is left out is not. */
  readonly written: { readonly user?: Json; readonly workspace?: Json; readonly folder?: Json };
  /** Where it can be written. */
  readonly scopes: readonly SettingPlace[];
  /** Why it can't be written for the workspace, in a sentence. */
  readonly userOnly?: string;
  /** What is wrong with what is written, in a sentence: the default is in force. */
  readonly problem?: string;
  /** It is too long to be edited here: the values are left out. */
  readonly tooLong?: true;
  /** What its buttons say, such as `Set a key`. */
  readonly buttons: readonly string[];
}

/** The host's messages about settings. */
export type SettingHostMessage =
  | {
      readonly type: "settings";
      readonly group: string;
      readonly settings: readonly SettingView[];
      /** A folder or workspace is open. */
      readonly workspace: boolean;
      readonly trusted: boolean;
    }
  /** A change was not written, and why, in a sentence. */
  | { readonly type: "setting.refused"; readonly id: string; readonly message: string }
  | { readonly type: "setting.written"; readonly id: string };
