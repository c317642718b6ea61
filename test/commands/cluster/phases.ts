/** The numbers of the last writes of each phase. */
export function endsOfPhases(writes: readonly string[]): readonly number[] {
  const phases = writes.map(phaseOf)
  return phases.flatMap((phase, index) => (phase === phases[index + 1] ? [] : [index + 1]))
}

const PHASES: readonly (readonly [RegExp, string])[] = [
  [/namespaces[?]/, 'namespaces'],
  [/[/]leases/, 'lease'],
  [/[/]configmaps[/]/, 'inventory'],
  [/[/]customresourcedefinitions.*%3A/, 'claims'],
  [/[/]customresourcedefinitions/, 'crds'],
  [/[/]clusterrolebindings/, 'bindings'],
  [/[/]selfsubjectreviews/, 'user'],
  [/[/](clusterroles|serviceaccounts)/, 'roles'],
  [/[/]packages[/]/, 'records'],
  [/[/]deployments[/]/, 'controllers'],
]

/** The phase of a write, by the kind of the object. */
export function phaseOf(line: string): string {
  const [, phase = line] = PHASES.find(([pattern]) => pattern.test(line)) ?? []
  return line.startsWith('DELETE ') ? `no ${phase}` : phase
}
