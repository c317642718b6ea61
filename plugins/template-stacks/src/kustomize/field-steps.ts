import {bindingSteps} from 'kubectl-crossplane/plugin'

/** Splits the path of a binding at its dots; undefined if a step is empty. */
export function fieldSteps(path: string): readonly string[] | undefined {
  const steps = bindingSteps(path)
  return steps.includes('') ? undefined : steps
}
