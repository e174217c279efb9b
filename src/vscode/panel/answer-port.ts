/** What can be done with an answer outside of the panel. */
export interface AnswerPort {
  /** Puts a text on the clipboard. */
  copy(text: string): Promise<void>;
  /** Puts a text where the cursor stands in an editor; false, having said so, where there is none to take it. */
  insert(text: string): Promise<boolean>;
  /** Whether what is done with an answer may be taken for an opinion of it. */
  concludes(): boolean;
}
