/** Splits the path of a binding of behavior.yaml at its dots; `\.` is a dot of a key. */
export function bindingSteps(path: string): readonly string[] {
  return path.split(/(?<!\\)\./).map(step => step.replaceAll('\\.', '.'))
}
