import {
  builtinOfKind,
  coverageOf,
  type Diagnostic,
  groupOf,
  listAll,
  type Package,
  type PackageCrd,
  requirementText,
} from 'kubectl-crossplane/plugin'

/** A kind of objects that templates create. */
export interface ObjectKind {
  readonly apiVersion: string
  readonly kind: string
}

/** What an app.yaml must name so that the controller can create the objects. */
export interface RequiredKinds {
  /** As in `dependsOn[].crd`, sorted. */
  readonly dependsOn: readonly string[]
  readonly notes: readonly Diagnostic[]
}

/**
 * Returns the dependencies that grant access to kinds. The kinds that every controller may use, and those of the package
 * itself, need none. The plural of a kind that is not one of Kubernetes is that of English.
 */
export function requiredKinds(
  created: readonly ObjectKind[],
  own: readonly PackageCrd[],
  dependencies: Package['dependencies'] = [],
): RequiredKinds {
  const kinds = [...new Map(created.map(each => [`${each.apiVersion} ${each.kind}`, each])).values()]
  const sources = {crds: own.map(({definition}) => definition), dependencies}
  const required = kinds.filter(each => coverageOf(each, sources) === 'uncovered')
  return {
    dependsOn: [...new Set(required.map(requirementText))].sort(),
    notes: [
      ...noteOn(
        required.filter(isBuiltin),
        'init-core-permissions',
        names => `the templates create ${names}: installing the package requires --allow-core-permissions`,
      ),
      ...noteOn(
        required.filter(each => !isBuiltin(each)),
        'init-plurals',
        names => `the plurals of ${names} in dependsOn are assumed: compare them with the CRDs`,
      ),
    ],
  }
}

function isBuiltin({apiVersion, kind}: ObjectKind): boolean {
  return builtinOfKind(groupOf(apiVersion), kind) !== undefined
}

function noteOn(
  kinds: readonly ObjectKind[],
  rule: string,
  message: (names: string) => string,
): readonly Diagnostic[] {
  if (kinds.length === 0) return []
  return [{severity: 'note', rule, message: message(listAll(kinds.map(({kind}) => kind)))}]
}
