/** A key of the panel, as the help and the documentation list it. */
export interface Key {
  readonly keys: string;
  readonly does: string;
}

/** The panel's keys, by where they hold. */
export const KEYS: readonly (readonly [where: string, keys: readonly Key[]])[] = [
  [
    "Everywhere",
    [
      { keys: "?", does: "show these keys" },
      {
        keys: "F6, Shift+F6",
        does: "from one part of the panel to the next; behind the last one, out of the panel",
      },
      { keys: "Tab, Shift+Tab", does: "from one control to the next" },
      { keys: "Ctrl+F, /", does: "search turns" },
      { keys: "N, P", does: "the next turn in the list, the one before" },
      { keys: "C", does: "compare with another turn" },
      { keys: "V", does: "the conversation as it stands" },
      { keys: "M", does: "memory" },
      { keys: "I", does: "facts about the turn" },
      { keys: "-, +", does: "fold all cells, unfold all" },
      { keys: "Escape", does: "stop the turn that runs" },
      { keys: "Ctrl+Enter", does: "ask, or run a changed cell" },
    ],
  ],
  [
    "At a cell",
    [
      { keys: "Up, Down, K, J", does: "the cell above, the cell below" },
      { keys: "Left, Right, Enter", does: "fold, unfold, either" },
      { keys: "Home, End", does: "the first cell, the last; from the last on one follows what comes" },
      { keys: "E", does: "change it and run on from there" },
      { keys: "R", does: "run again from there" },
      { keys: "G", does: "have the critic grade the answer" },
      { keys: "B", does: "have a second answer given and compared" },
    ],
  ],
  [
    "In the members of a round",
    [
      { keys: "arrows, Home, End", does: "from one member to the next" },
      { keys: "Enter", does: "its steps" },
      { keys: "Escape", does: "back to the round" },
    ],
  ],
  [
    "In the list of turns",
    [
      { keys: "Up, Down, K, J", does: "the turn above, the turn below" },
      { keys: "Delete", does: "delete the session, after asking" },
    ],
  ],
  [
    "In the list of grades",
    [
      { keys: "Up, Down, Home, End", does: "lay open the grade above, the grade below" },
      { keys: "Enter", does: "its turn" },
      { keys: "Escape", does: "close what is laid open" },
    ],
  ],
  [
    "In the lists of calls and turns",
    [
      { keys: "Up, Down, Home, End", does: "the line above, the line below" },
      { keys: "Enter", does: "its turn" },
    ],
  ],
  [
    "In the tables of memory",
    [
      { keys: "arrows, Page Up, Page Down", does: "from field to field; above the first line are the heads" },
      { keys: "Home, End", does: "the first field of the line, the last; of the table with Ctrl" },
      { keys: "Enter", does: "lay the line open, or correct its field; at a head, sort by it" },
      { keys: "F2", does: "correct the field" },
      { keys: "Space, Ctrl+A", does: "choose the line, choose all; with Shift the arrows choose" },
      { keys: "Delete", does: "forget what is chosen, after asking" },
      { keys: "Escape", does: "close the line, or choose none" },
    ],
  ],
  [
    "In the timeline",
    [
      { keys: "Left, Right", does: "the call before, the next one" },
      { keys: "Up, Down", does: "the lane above, the lane below" },
      { keys: "Enter", does: "its cell" },
    ],
  ],
];
