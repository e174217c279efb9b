import type { Failure } from "../../agent/failure.ts";
import type { MemoryLine, MemoryViewEdit } from "../../trace/panel-memory.ts";
import { changeOf, editValue } from "./edits.ts";

/** A field that is being edited: in its cell, or in the open row. */
export interface Editing {
  readonly id: string;
  readonly field: string;
  readonly where: "cell" | "detail";
  readonly saving: boolean;
  /** What is wrong with what was written. */
  readonly problem: string | null;
}

interface EditingParts {
  readonly send: (request: number, edit: MemoryViewEdit) => void;
  readonly request: () => number;
  readonly changed: () => void;
  /** A change was saved. */
  readonly onSaved: () => void;
  /** A change without an editor, such as a pin, was refused. */
  readonly onRefused: (failure: Failure) => void;
}

/** The one field that is being edited, and changes that are on their way. */
export class FieldEditing {
  now: Editing | null = null;
  private readonly parts: EditingParts;
  private waiting = new Map<number, "field" | "switch">();

  constructor(parts: EditingParts) {
    this.parts = parts;
  }

  begin(id: string, field: string, where: Editing["where"]): void {
    this.now = { id, field, where, saving: false, problem: null };
    this.parts.changed();
  }

  /** Leaves the field as it was. */
  end(): void {
    this.now = null;
    this.parts.changed();
  }

  /** Sends what was written of a row; the editor stays until the host says that it is kept. */
  save(line: MemoryLine, written: string): void {
    const { now } = this;
    if (now === null || now.saving || now.id !== line.row.id) return;
    if (written.trim() === editValue(line, now.field).trim()) {
      this.end();
      return;
    }
    const change = changeOf(line, now.field, written);
    if ("problem" in change) {
      this.now = { ...now, problem: change.problem };
    } else {
      this.now = { ...now, saving: true, problem: null };
      this.send(change.edit, "field");
    }
    this.parts.changed();
  }

  /** Sends a change that needs no editor: a pin, or that a fact no longer holds. */
  set(edit: MemoryViewEdit): void {
    this.send(edit, "switch");
  }

  receive(request: number, failure: Failure | null): void {
    const what = this.waiting.get(request);
    this.waiting.delete(request);
    if (what === undefined) return;
    if (failure === null) {
      if (what === "field") this.now = null;
      this.parts.onSaved();
    } else if (what === "field" && this.now !== null) {
      this.now = { ...this.now, saving: false, problem: failure.message };
    } else {
      this.parts.onRefused(failure);
    }
  }

  private send(edit: MemoryViewEdit, what: "field" | "switch"): void {
    const request = this.parts.request();
    this.waiting.set(request, what);
    this.parts.send(request, edit);
  }
}
