import { join } from "node:path";
import * as vscode from "vscode";
import { z } from "zod";
import { RUBRIC_FOLDER } from "../../agent/critic/rubric-files.ts";
import { newRubricText, rubricName } from "../../agent/critic/rubric-text.ts";
import { readArgs } from "../ask-args.ts";
import type { Container } from "../container.ts";
import { chooseRoot, writeNew } from "../new-file.ts";
import { askLine } from "../pickers.ts";

const NewRubricArgs = z.object({ name: z.string().trim().min(1).max(100).optional() });

/** Makes the file of a new rubric and opens it; gives its path. Asks for the name where it is not passed. */
export async function newRubric(
  { rubrics }: Container,
  args: readonly unknown[],
): Promise<string | undefined> {
  const typed = readArgs(NewRubricArgs, args[0])?.name ?? (await askName());
  if (typed === undefined) return undefined;
  const name = rubricName(typed);
  const root = await chooseRoot();
  if (root === undefined) return undefined;
  const path = await writeNew(join(root, RUBRIC_FOLDER), name, newRubricText(name));
  rubrics.changed();
  await vscode.window.showTextDocument(vscode.Uri.file(path));
  return path;
}

async function askName(): Promise<string | undefined> {
  const name = await askLine({
    title: "New Rubric",
    prompt: "What is the rubric called?",
    placeHolder: "plain-words",
    validateInput: (text) => {
      if (text.trim() === "") return "A name, please.";
      if (text.trim().length > 100) return "At most 100 characters.";
      const plain = rubricName(text);
      return plain === text.trim()
        ? undefined
        : { message: `It will be called ${plain}.`, severity: vscode.InputBoxValidationSeverity.Info };
    },
  });
  return name?.trim();
}
