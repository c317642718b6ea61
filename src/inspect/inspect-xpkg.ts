import type {Diagnostic} from '../diagnostic.js'
import type {DefinedKind, Xpkg, XpkgDependency} from '../xpkg/content/xpkg.js'
import {derivedName} from '../xpkg/package-name.js'
import {compareText} from '../reference/compare-text.js'
import {identity, type PackageFacts, type PackageOrigin} from './package-facts.js'
import type {PackageSignatures} from './package-signatures.js'

/**
 * A report for the review of a package for a current Crossplane. Its field names are an interface: fields can be added,
 * and change only with the version of the document.
 */
export interface XpkgReport {
  readonly package: Identity & XpkgFacts
  /** Absent for a package in a folder or a layout. */
  readonly signatures?: PackageSignatures
  /** By group and name. */
  readonly defines: readonly XpkgKindReport[]
  /** In the order of the metadata. */
  readonly requires: readonly XpkgRequirement[]
  /** The functions that Compositions and operations call, sorted. */
  readonly calls: readonly string[]
  /** What the package contains, by kind. */
  readonly objects: readonly XpkgObjectCount[]
  /** The errors and warnings of lint. */
  readonly problems: readonly Diagnostic[]
}

type Identity = Pick<PackageFacts, 'readFrom' | 'reference' | 'repository' | 'tag' | 'digest'>

interface XpkgFacts {
  readonly format: 'xpkg'
  readonly kind: string
  /** That of the metadata. */
  readonly apiVersion: string
  /** The name in the metadata, which Crossplane ignores. */
  readonly name: string
  /** The name that Crossplane gives to a request for it as a dependency; absent without a reference. */
  readonly installsAs?: string
  /** The constraint on the version of Crossplane. */
  readonly crossplane?: string
  readonly capabilities: readonly string[]
  readonly annotations: Readonly<Record<string, string>>
}

interface XpkgKindReport extends DefinedKind {
  /** The kind of the object that defines it, such as CustomResourceDefinition. */
  readonly by: string
}

interface XpkgRequirement extends XpkgDependency {
  /** The name of the request that Crossplane creates. */
  readonly installsAs: string
}

interface XpkgObjectCount {
  readonly apiVersion: string
  readonly kind: string
  readonly count: number
}

/** Reports on a package that was read. */
export function inspectXpkg(origin: PackageOrigin, xpkg: Xpkg, problems: readonly Diagnostic[]): XpkgReport {
  const {kind, apiVersion, name, crossplane, capabilities, annotations, objects, dependencies} = xpkg
  const path = origin.reference?.path
  return {
    package: {
      ...identity(origin),
      format: 'xpkg',
      kind,
      apiVersion,
      name,
      ...(path === undefined ? {} : {installsAs: derivedName(`registry/${path}`)}),
      ...(crossplane === undefined ? {} : {crossplane}),
      capabilities,
      annotations,
    },
    defines: definedKinds(xpkg),
    requires: dependencies.map(dependency => ({
      ...dependency,
      installsAs: derivedName(dependency.package),
    })),
    calls: [...new Set(objects.flatMap(({functions}) => functions.map(step => step.function)))].sort(
      compareText,
    ),
    objects: counts(xpkg),
    problems,
  }
}

function definedKinds({objects}: Xpkg): readonly XpkgKindReport[] {
  return objects
    .flatMap(({role, kind, defines}) =>
      role === 'composition' || defines === undefined ? [] : [{...defines, by: kind}],
    )
    .sort((a, b) => compareText(a.group, b.group) || compareText(a.kind, b.kind))
}

function counts({objects}: Xpkg): readonly XpkgObjectCount[] {
  const byKind = new Map<string, XpkgObjectCount>()
  for (const {apiVersion, kind} of objects) {
    const key = `${kind} ${apiVersion}`
    byKind.set(key, {apiVersion, kind, count: (byKind.get(key)?.count ?? 0) + 1})
  }
  return [...byKind].sort(([a], [b]) => compareText(a, b)).map(([, entry]) => entry)
}
