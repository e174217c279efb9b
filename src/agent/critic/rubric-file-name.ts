/** Whether a file's name is one of a rubric. */
export function isRubricFile(name: string): boolean {
  return /\.ya?ml$/iu.test(name);
}
